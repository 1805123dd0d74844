// Package libibverbs drives RDMA devices through libibverbs.so.1, the C
// library of rdma-core. The library is loaded when Open is called: building
// needs neither a C compiler nor the rdma-core headers, and a machine without
// the library gets an error that says what to install.
//
// To read: load.go finds the library; calls.go has one helper for each way in
// which a C verb reports failure, and errno.go what is special about errno;
// abi.go describes the C structures; device.go, context.go, query.go, pd.go,
// channel.go, cq.go and qp.go are the verbs; post.go and poll.go the data path;
// turnloop.go and turnloop_*.s the loop that runs below the Go runtime.
//
// What C reads or writes lies in a block (block.go): memory outside the Go
// heap that never moves. The data path (post, poll, request notification) goes
// through function pointers inside struct ibv_context, because the C functions
// of those names exist only in the header. It makes no heap allocation.
//
// Every call may be made from any goroutine, as in C. Two calls on the same
// send queue, receive queue or completion queue take turns; destroying an
// object while it is in use is a mistake of the caller, as in C. The rules of
// lifetime are kept by package verbs. This is the only package of the project
// that uses unsafe.
package libibverbs
