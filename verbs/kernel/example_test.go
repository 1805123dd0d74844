package kernel_test

import (
	"fmt"
	"testing/fstest"

	"ibtour/verbs/kernel"
)

func ExampleReadPortCounters() {
	// On a real machine the first argument is nil.
	sys := fstest.MapFS{
		"class/infiniband/rxe0/ports/1/hw_counters/rcvd_pkts": {Data: []byte("598\n")},
		"class/infiniband/rxe0/ports/1/hw_counters/sent_pkts": {Data: []byte("597\n")},
	}
	counters, err := kernel.ReadPortCounters(sys, "rxe0", 1)
	if err != nil {
		fmt.Println(err)
	}
	for _, c := range counters.HW {
		fmt.Println(c.Name, c.Value)
	}
	// Output:
	// rcvd_pkts 598
	// sent_pkts 597
}
