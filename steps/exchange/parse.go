package exchange

import (
	"bytes"

	"ibtour/verbs"
)

// parser walks over a record. After the first error it stands still.
type parser struct {
	b     []byte // at most one record
	got   []byte // all that was received, for the error
	pos   int
	qpnAt int
	err   *RecordError
}

func (p *parser) fail(r Reason, field string) {
	if p.err == nil {
		p.err = &RecordError{Reason: r, Field: field, Offset: p.pos, Got: bytes.Clone(p.got)}
	}
}

// next returns the byte at pos; without one the record is too short.
func (p *parser) next(field string) (byte, bool) {
	if p.err == nil && p.pos == len(p.b) {
		p.fail(ErrShort, field)
	}
	if p.err != nil {
		return 0, false
	}
	return p.b[p.pos], true
}

// number reads a hexadecimal number and the colon behind it.
func (p *parser) number(field string, bits int) uint32 {
	p.blanks(field)
	if field == "QPN" {
		p.qpnAt = p.pos
	}
	var v uint32
	for digits := 0; ; digits++ {
		c, ok := p.next(field)
		if !ok {
			return 0
		}
		if c == ':' && digits > 0 {
			p.pos++
			return v
		}
		d, ok := digit(c)
		if !ok {
			p.fail(ErrDigit, field)
			return 0
		}
		if v = v<<4 | d; v>>bits != 0 {
			p.fail(ErrRange, field)
			return 0
		}
		p.pos++
	}
}

// gid reads 32 digits and the end of the text behind them.
func (p *parser) gid(g *verbs.GID) {
	p.blanks("GID")
	for i := range 2 * len(g) {
		c, ok := p.next("GID")
		if !ok {
			return
		}
		d, ok := digit(c)
		if !ok {
			p.fail(ErrDigit, "GID")
			return
		}
		g[i/2] = g[i/2]<<4 | byte(d)
		p.pos++
	}
	if c, ok := p.next("GID"); ok && c != 0 && !blank(c) {
		p.fail(ErrEnd, "GID")
	}
}

func (p *parser) blanks(field string) {
	for c, ok := p.next(field); ok && blank(c); c, ok = p.next(field) {
		p.pos++
	}
}

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func digit(c byte) (uint32, bool) {
	switch {
	case c >= '0' && c <= '9':
		return uint32(c - '0'), true
	case c >= 'a' && c <= 'f':
		return uint32(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return uint32(c-'A') + 10, true
	}
	return 0, false
}
