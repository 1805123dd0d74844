// Package verbstest helps to test what uses the verbs, and the devices
// themselves.
//
//	Pair         two connected queue pairs with buffers, on any device
//	LeakCheck    fails a package whose tests leave goroutines behind
//	Conformance  the behaviours every device must show
//
// To read: node.go and pair.go, then conformance.go and the files it names. How
// the devices are made is decided by the caller.
package verbstest
