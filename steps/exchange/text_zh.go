package exchange

import "ibtour/annotations/words"

var chinese = wording{
	likely: map[Likely]string{
		NoServer:         "主机有应答，但没有服务器在这个端口上监听：请先启动服务器，并检查端口（-p）",
		HostUnknown:      "没有这台主机：检查拼写，或直接给出 IP 地址",
		NameServerSilent: "域名服务器没有应答：请直接给出主机的 IP 地址",
		Unreachable:      "本机没有到该主机的路由，或该主机没有开机",
		ConnectTimedOut:  "主机完全没有应答：它没有开机，或防火墙丢弃了发往这个端口的数据包",
		ZoneMissing:      "链路本地地址后面要写上一个存在的接口，例如 fe80::1%eth0",
		PortInUse:        "这个端口已被另一个服务器占用：可能是另一个 ibtour、某个 pingpong 或 perftest 程序，它们都用 18515；请结束它，或两端都换一个端口（-p）",
		PortForbidden:    "1024 以下的端口只有 root 能用：请两端都换一个端口（-p）",

		PeerSilent:    "对端已连接但什么也没有发来：它可能已暂停或停止，也可能是另一种交换方式的程序（ibv_srq_pingpong、perftest）",
		PeerStuck:     "对端只发来了消息的开头：它不是 ibv_rc_pingpong，或者已经卡住",
		PeerVanished:  "对端的主机不再应答：它已关机，或网络中断",
		ServerFailed:  "服务器没有回答就关闭了连接：最可能是它的 QP 无法转入 RTR 或 RTS；原因见它自己的输出（常见的是有一端没有给 GID 索引，-g）",
		ServerBusy:    "服务器没有读取数据就断开了连接：它正在为另一个客户端服务，或已停止；请重新启动它",
		ServerGone:    "服务器发出自己的地址之后就离开了",
		ClientGone:    "客户端还没有发出地址就离开了，或者它是别的程序（端口扫描、健康检查）",
		ClientStopped: "客户端在交换途中失败或被中断，原因见它自己的输出。请重新启动两端",

		OtherProgram: "这不是乒乓测试：另一个程序在用这个端口",
		HTTP:         "这是 HTTP：浏览器、代理或 Web 服务器在用这个端口",
		TLS:          "这是 TLS：某个加密通信的程序在用这个端口",
		SSH:          "这是 SSH：请检查主机和端口",
		Perftest:     "这是 perftest 的程序（ib_send_lat、ib_write_bw……），端口相同而交换方式不同：请两端都用 ibtour 或 ibv_rc_pingpong",
		SRQPingpong:  "这是 ibv_srq_pingpong，它要发送许多地址：请两端都用 ibtour 或 ibv_rc_pingpong",
		XSRQPingpong: "这是 ibv_xsrq_pingpong，它的记录格式不同：请两端都用 ibtour 或 ibv_rc_pingpong",
	},
	phases: map[Phase]words.Format{
		Resolving: "查找 %s", Listening: "监听 %s", Dialing: "连接 %s",
		Accepting: "在 %s 上等待客户端", SendingAddress: "把地址发给 %s",
		ReadingAddress: "读取 %s 的地址", SendingDone: "把 “done” 发给 %s", ReadingDone: "读取 %s 的 “done”",
	},
	reasons: map[Reason]string{
		ErrShort: "记录到此中断", ErrDigit: "这里应当是一个十六进制数字", ErrRange: "数值的位数过多",
		ErrEnd: "这里应当是结束记录的 NUL", ErrReserved: "RC 队列对不会有这个编号",
	},
	because: "%s：%s", waited: "，已等待 %v", got: "，收到 %d 字节，应为 %d 字节", excerpt: "（%s）", advice: "；%s", comma: "，",
	record: "地址记录的第 %d 字节（%s）：%s；收到的是 %s",
	port:   "TCP 端口 %s", peer: "%s 端口 %d", noPort: "TCP 端口 %d 不存在：应为 %d 到 65535",
	silent: "没有再收到数据", closed: "对端关闭了连接", notDone: "不是结束消息 “done”", expired: "超时",

	noClient:  "%v 内没有客户端连接",
	noAddress: "%s 已连接，但 %v 内没有发来它的地址：它可能已暂停或停止",
	noDone:    "%s 已连接，但 %v 内没有发来 “done”：它可能已暂停或停止",
}
