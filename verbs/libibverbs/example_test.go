//go:build linux && !android && (amd64 || arm64)

package libibverbs_test

import (
	"fmt"

	"ibtour/verbs"
	"ibtour/verbs/libibverbs"
)

// List the devices of this machine, as ibv_devices does.
func ExampleOpen() {
	driver, err := libibverbs.Open()
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := verbs.GetDeviceList(driver, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range list.Devices() {
		fmt.Println(d.Name, d.GUID)
	}
	if err := list.Free(); err != nil {
		fmt.Println(err)
	}
}
