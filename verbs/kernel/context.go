package kernel

// Context is one opening of a device (ibv_open_device).
type Context struct {
	Owner
	CtxN ID
}

func parseContexts(b []byte) ([]Context, error) {
	return parseTable(b, attrCtxTable, attrCtxItem, (*Context).field)
}

func (c *Context) field(d *decoder) {
	if d.Type() == attrCtxN {
		c.CtxN = ID(d.Uint32())
	}
	c.Owner.field(d)
}
