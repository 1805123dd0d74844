package steps

// RCPingPong is the tour of ibv_rc_pingpong: the order of its calls, and the
// table of contents of this program. Each line is a file of this folder.
//
// The original asks for its GID before it meets the peer. Here the client does
// so once it is connected and the server once it knows the peer's address,
// since only then it is known which of several GIDs reaches the peer.
var RCPingPong = Tour{Name: "rc-pingpong", Steps: []Step{
	{ID: "get_device_list", Phase: Discover, Do: getDeviceList, Title: "list RDMA devices"},
	{ID: "open_device", Phase: Discover, Do: openDevice, Title: "open one device"},

	{ID: "alloc_buffer", Phase: Allocate, Do: allocBuffer, Title: "allocate message buffer"},
	{ID: "create_comp_channel", Phase: Allocate, Do: createCompChannel, Title: "create completion channel", When: events},
	{ID: "alloc_pd", Phase: Allocate, Do: allocPD, Title: "allocate protection domain"},
	{ID: "reg_mr", Phase: Allocate, Do: regMR, Title: "register the memory"},
	{ID: "create_cq", Phase: Allocate, Do: createCQ, Title: "create completion queue"},
	{ID: "create_qp", Phase: Allocate, Do: createQP, Title: "create queue pair"},
	{ID: "query_qp", Phase: Allocate, Do: queryQP, Title: "ask granted capacity"},
	{ID: "qp_init", Phase: Allocate, Do: qpInit, Title: "queue pair: INIT"},
	{ID: "post_recv", Phase: Allocate, Do: postRecv, Calls: everyReceive, Title: "post the receives"},
	{ID: "req_notify_cq", Phase: Allocate, Do: reqNotifyCQ, Title: "arm completion queue", When: events},

	{ID: "query_port", Phase: Meet, Do: queryPort, Title: "ask the port"},
	{ID: "listen", Phase: Meet, Do: listen, Title: "listen over TCP", On: Server},
	{ID: "connect", Phase: Meet, Do: connect, Title: "connect over TCP", On: Client},
	{ID: "accept", Phase: Meet, Do: accept, Title: "accept the peer", On: Server},
	{ID: "query_gid", Phase: Meet, Do: queryGID, Title: "choose a GID", On: Client},
	{ID: "choose_psn", Phase: Meet, Do: choosePSN, Title: "draw starting PSN", On: Client},
	{ID: "send_address", Phase: Meet, Do: sendAddress, Title: "send own address", On: Client},
	{ID: "recv_address", Phase: Meet, Do: recvAddress, Title: "read peer's address", On: Server},
	{ID: "query_gid", Phase: Meet, Do: queryGID, Title: "choose a GID", On: Server},
	{ID: "choose_psn", Phase: Meet, Do: choosePSN, Title: "draw starting PSN", On: Server},
	{ID: "qp_rtr", Phase: Meet, Do: qpRTR, Title: "queue pair: RTR", On: Server},
	{ID: "qp_rts", Phase: Meet, Do: qpRTS, Title: "queue pair: RTS", On: Server},
	{ID: "send_address", Phase: Meet, Do: sendAddress, Title: "send own address", On: Server},
	{ID: "recv_address", Phase: Meet, Do: recvAddress, Title: "read peer's address", On: Client},
	{ID: "send_done", Phase: Meet, Do: sendDone, Title: "end the exchange", On: Client},
	{ID: "recv_done", Phase: Meet, Do: recvDone, Title: "end the exchange", On: Server},
	{ID: "qp_rtr", Phase: Meet, Do: qpRTR, Title: "queue pair: RTR", On: Client},
	{ID: "qp_rts", Phase: Meet, Do: qpRTS, Title: "queue pair: RTS", On: Client},

	{ID: "post_send", Phase: PingPong, Do: postSend, Calls: dueSends, Title: "send the ping", On: Client, When: walked},
	{ID: "get_cq_event", Phase: PingPong, Do: getCQEvent, Title: "wait for event", On: Server, When: walkedEvents},
	{ID: "poll_cq", Phase: PingPong, Do: pollCQ, Title: "poll for ping", On: Server, When: walked},
	{ID: "repost_recv", Phase: PingPong, Do: repostRecv, Calls: dueReceives, Title: "refill the receives", On: Server, When: walked},
	{ID: "post_send", Phase: PingPong, Do: postSend, Calls: dueSends, Title: "send the pong", On: Server, When: walked},
	{ID: "get_cq_event", Phase: PingPong, Do: getCQEvent, Title: "wait for event", On: Client, When: walkedEvents},
	{ID: "poll_cq", Phase: PingPong, Do: pollCQ, Title: "poll for pong", On: Client, When: walked},
	{ID: "repost_recv", Phase: PingPong, Do: repostRecv, Calls: dueReceives, Title: "refill the receives", On: Client, When: walked},
	{ID: "iterate", Phase: PingPong, Do: iterate, ByHand: iterateByHand, Title: "the remaining iterations", Together: true},

	{ID: "ack_cq_events", Phase: TearDown, Do: ackCQEvents, If: hasCQ, Title: "acknowledge the events", When: events},
	{ID: "destroy_qp", Phase: TearDown, Do: destroyQP, If: hasQP, Title: "destroy queue pair"},
	{ID: "destroy_cq", Phase: TearDown, Do: destroyCQ, If: hasCQ, Title: "destroy completion queue"},
	{ID: "dereg_mr", Phase: TearDown, Do: deregMR, If: hasMR, Title: "deregister the memory"},
	{ID: "free_buffer", Phase: TearDown, Do: freeBuffer, If: hasBuffer, Title: "free message buffer"},
	{ID: "dealloc_pd", Phase: TearDown, Do: deallocPD, If: hasPD, Title: "deallocate protection domain"},
	{ID: "destroy_comp_channel", Phase: TearDown, Do: destroyCompChannel, If: hasChannel, Title: "destroy completion channel", When: events},
	{ID: "close_device", Phase: TearDown, Do: closeDevice, If: hasContext, Title: "close the device"},
	{ID: "free_device_list", Phase: TearDown, Do: freeDeviceList, If: hasList, Title: "free device list"},
}}

// How many calls a step makes, where it is known when it begins.
func everyReceive(e *End) int { return e.Opts.RxDepth }
func dueReceives(e *End) int  { return e.due.Recvs }
func dueSends(e *End) int     { return e.due.Sends }

func events(o *Options) bool       { return o.Events }
func walked(o *Options) bool       { return o.Walk }
func walkedEvents(o *Options) bool { return o.Walk && o.Events }

// What a tear-down step needs to have something to do.
func hasList(e *End) bool    { return e.List != nil }
func hasContext(e *End) bool { return e.Context != nil }
func hasChannel(e *End) bool { return e.Channel != nil }
func hasPD(e *End) bool      { return e.PD != nil }
func hasBuffer(e *End) bool  { return e.Buffer != nil }
func hasMR(e *End) bool      { return e.MR != nil }
func hasCQ(e *End) bool      { return e.CQ != nil }
func hasQP(e *End) bool      { return e.QP != nil }
