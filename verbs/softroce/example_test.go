package softroce_test

import (
	"fmt"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
)

// The embedded device is opened like any other.
func Example() {
	opts, ours, err := softroce.ParseName("soft0?addr=127.0.0.1")
	if err != nil || !ours {
		return
	}
	list, err := verbs.GetDeviceList(softroce.New(opts), nil)
	if err != nil {
		return
	}
	ctx, err := list.Open(softroce.DefaultName)
	if err != nil {
		return
	}
	defer ctx.CloseAll()
	port, err := ctx.QueryPort(1)
	if err != nil {
		return
	}
	gid, err := ctx.QueryGID(1, 0)
	if err != nil {
		return
	}
	fmt.Println(ctx.Name(), port.State, port.LinkLayer, port.ActiveMTU, gid.GID)
	// Output: soft0 IBV_PORT_ACTIVE IBV_LINK_LAYER_ETHERNET IBV_MTU_1024 ::ffff:127.0.0.1
}
