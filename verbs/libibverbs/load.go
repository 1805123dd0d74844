//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"github.com/ebitengine/purego"

	"ibtour/verbs"
)

// function is a C function by name. Its address is 0 if the library that was
// found does not have it.
type function struct {
	name string
	addr uintptr
}

// library holds the C functions this package calls.
type library struct {
	scratch scratch

	errnoLocation, poll, clockGettime function // of libc

	getDeviceList, freeDeviceList, getDeviceGUID, openDevice, closeDevice function
	queryDevice, queryPort, queryGID, queryGIDEx                          function
	getAsyncEvent, ackAsyncEvent                                          function
	allocPD, deallocPD, regMR, deregMR                                    function
	createCompChannel, destroyCompChannel, getCQEvent, ackCQEvents        function
	createCQ, destroyCQ, createQP, destroyQP, modifyQP, queryQP           function
}

// Open loads libibverbs.so.1. It returns a *LoadError if the library is
// missing, and an error that is errors.ErrUnsupported on a platform other than
// linux/amd64 and linux/arm64. It does not look for devices.
func Open() (verbs.Driver, error) { return open(LibraryName) }

func open(name string) (*driver, error) {
	ibverbs, err := purego.Dlopen(name, purego.RTLD_NOW)
	if err != nil {
		return nil, &LoadError{Library: name, Reason: err}
	}
	libc, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	if err != nil {
		return nil, &LoadError{Library: "libc.so.6", Reason: err}
	}
	l := &library{}
	l.find(libc, l.ofLibc())
	l.find(ibverbs, l.ofIbverbs())
	return &driver{lib: l}, nil
}

// find looks the functions up. Where the library has several versions of a
// symbol, dlsym(3) gives the default one, which is also what linking gives.
func (l *library) find(lib uintptr, names map[string]*function) {
	for name, f := range names {
		addr, err := purego.Dlsym(lib, name)
		if err != nil {
			addr = 0
		}
		*f = function{name: name, addr: addr}
	}
}

func (l *library) ofLibc() map[string]*function {
	return map[string]*function{
		"__errno_location": &l.errnoLocation, "poll": &l.poll, "clock_gettime": &l.clockGettime,
	}
}

func (l *library) ofIbverbs() map[string]*function {
	return map[string]*function{
		"ibv_get_device_list":      &l.getDeviceList,
		"ibv_free_device_list":     &l.freeDeviceList,
		"ibv_get_device_guid":      &l.getDeviceGUID,
		"ibv_open_device":          &l.openDevice,
		"ibv_close_device":         &l.closeDevice,
		"ibv_query_device":         &l.queryDevice,
		"ibv_query_port":           &l.queryPort,
		"ibv_query_gid":            &l.queryGID,
		"_ibv_query_gid_ex":        &l.queryGIDEx,
		"ibv_get_async_event":      &l.getAsyncEvent,
		"ibv_ack_async_event":      &l.ackAsyncEvent,
		"ibv_alloc_pd":             &l.allocPD,
		"ibv_dealloc_pd":           &l.deallocPD,
		"ibv_reg_mr":               &l.regMR,
		"ibv_dereg_mr":             &l.deregMR,
		"ibv_create_comp_channel":  &l.createCompChannel,
		"ibv_destroy_comp_channel": &l.destroyCompChannel,
		"ibv_get_cq_event":         &l.getCQEvent,
		"ibv_ack_cq_events":        &l.ackCQEvents,
		"ibv_create_cq":            &l.createCQ,
		"ibv_destroy_cq":           &l.destroyCQ,
		"ibv_create_qp":            &l.createQP,
		"ibv_destroy_qp":           &l.destroyQP,
		"ibv_modify_qp":            &l.modifyQP,
		"ibv_query_qp":             &l.queryQP,
	}
}
