package handout

import (
	"ibtour/annotations"
	"ibtour/steps"
)

// text holds the words of the document in one language.
type text struct {
	title, lead, values, contents, thisRun                               string
	device, date, size, iters, depth, mtu, waiting, checked, stops, took string
	embedded, polling, events, yes, no                                   string
	ends                                                                 map[steps.Role]string
	of, stop, seeFirst, seeFigures, nothing, source                      string
	repeated, local, remote, required, completion, bytes                 string
	fact, before, after, gone, comma, made, value                        string
	packet, to, opcode, payload, morePackets, ackReq                     string
	figures, figuresWhat, roundTrips, payloadBytes, elapsed, rate, mean  string
	distribution                                                         string
	otherSteps, otherStepsWhy, concepts, glossary                        string
}

func (t *text) end(r steps.Role) string { return t.ends[r] }

func (t *text) waitingFor(events bool) string {
	if events {
		return t.events
	}
	return t.polling
}

func (t *text) yesNo(b bool) string {
	if b {
		return t.yes
	}
	return t.no
}

var texts = map[string]*text{annotations.English: &english, annotations.Chinese: &chinese}

var english = text{
	title: "The ping-pong of ibv_rc_pingpong, step by step, on %s",
	lead: "This is one run of the program that ibv_rc_pingpong is: two ends of a reliable connection send each other a message " +
		"in turn. Both ends ran in one process of ibtour, which stopped at every verb of the first iteration and wrote down the call, " +
		"what it returned and what it changed.",
	values: "All numbers are those of this run. Values within a text are of the end that is told of first. " +
		"A dash (—) stands for a value that this system does not count. " +
		"Times are those of the call alone.",
	contents: "Contents", thisRun: "This run",
	device: "Device", date: "Date", size: "Bytes of a message", iters: "Round trips", depth: "Receives kept posted",
	mtu: "Path MTU asked for", waiting: "Waiting for completions", checked: "Every byte validated (`-c`)",
	stops: "Steps of both ends", took: "Time the steps took",
	embedded: ", the RoCE v2 device inside ibtour",
	polling:  "polling", events: "events (`-e`)", yes: "yes", no: "no",
	ends: map[steps.Role]string{steps.Server: "Server", steps.Client: "Client", "": "Both ends"},
	of:   "%s (%s)", stop: "%s (%d/%d of the walk)", seeFirst: "The same step as [%s](#%s), where its text is.",
	seeFigures: "What was measured is in [the figures](#%s).",
	nothing:    "Nothing was to be done.", source: "The step in Go",
	repeated: "%d such calls in all, %s together",
	local:    "local address: ", remote: "remote address:",
	required: "This move requires", completion: "Completion:", bytes: "%d bytes",
	fact: "State", before: "Before", after: "After", gone: "Gone: %s.", comma: ", ", made: "New", value: "Value",
	packet: "Packet", to: "To", opcode: "Opcode", payload: "Bytes",
	morePackets: "… and %d more packets.", ackReq: "asks for an ACK",
	figures: "Figures",
	figuresWhat: "The iterations at full speed; the one that was walked by hand is not counted. A round trip lasts from just before a message is " +
		"posted until the peer's answer and the acknowledgement are polled.",
	roundTrips: "Round trips measured", payloadBytes: "Payload bytes, both directions", elapsed: "Elapsed",
	rate: "Payload rate, both directions", mean: "Mean round trip (there and back)",
	distribution:  "How many round trips took how long (buckets of equal ratio):",
	otherSteps:    "Appendix: steps of other runs",
	otherStepsWhy: "This run did not have these steps. ‹name› stands for a value of a run.",
	concepts:      "Appendix: concepts", glossary: "Appendix: glossary",
}

var chinese = text{
	title: "逐步看 ibv_rc_pingpong 的乒乓测试：在 %s 上",
	lead: "这里记下的是 ibv_rc_pingpong 这个程序的一次运行：一条可靠连接的两端轮流向对方发送一条消息。" +
		"两端都在 ibtour 的同一个进程里；第一次往返的每个 verb 之前它都停下来，记下调用、返回值和所改变的状态。",
	values:   "所有数值都来自这次运行。正文里的值属于先讲到的那一端。破折号（—）代表这个系统不计数的值。时间只算调用本身。",
	contents: "目录", thisRun: "这次运行",
	device: "设备", date: "日期", size: "消息字节数", iters: "往返次数", depth: "保持投递的接收数",
	mtu: "要求的路径 MTU", waiting: "等待完成的方式", checked: "校验每个字节（`-c`）",
	stops: "两端的步骤数", took: "各步用时合计",
	embedded: "，ibtour 内置的 RoCE v2 设备",
	polling:  "轮询", events: "事件（`-e`）", yes: "是", no: "否",
	ends: map[steps.Role]string{steps.Server: "服务器", steps.Client: "客户端", "": "两端"},
	of:   "%s（%s）", stop: "%s（walk 的第 %d/%d 步）", seeFirst: "与[第 %s 步](#%s)是同一个步骤，正文在那里。",
	seeFigures: "测量结果见[数据](#%s)。",
	nothing:    "没有什么要做。", source: "这一步的 Go 源码",
	repeated: "这样的调用共 %d 次，合计 %s",
	local:    "本端地址：", remote: "对端地址：",
	required: "这次转换必须给出：", completion: "完成：", bytes: "%d 字节",
	fact: "状态", before: "之前", after: "之后", gone: "已经没有了：%s。", comma: "、", made: "新出现", value: "值",
	packet: "数据包", to: "发往", opcode: "操作码", payload: "字节",
	morePackets: "……另有 %d 个数据包。", ackReq: "要求 ACK",
	figures:     "数据",
	figuresWhat: "只计全速运行的往返，手工走过的那一次不算。一次往返，从投递一条消息之前算起，到轮询到对端的回答和确认为止。",
	roundTrips:  "测得的往返", payloadBytes: "载荷字节数（双向）", elapsed: "用时",
	rate: "载荷速率（双向）", mean: "平均往返时间（一去一回）",
	distribution:  "多少次往返各用了多久（各区间的比例相同）：",
	otherSteps:    "附录：其他运行的步骤",
	otherStepsWhy: "这次运行没有这些步骤。‹名字› 代表一次运行里的值。",
	concepts:      "附录：概念", glossary: "附录：词汇表",
}
