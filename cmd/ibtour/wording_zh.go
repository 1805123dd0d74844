package main

var chinese = wording{
	root: commandText{
		short: "一个 verb 一个 verb 地看 RDMA 程序怎样运行",
		long: `ibtour 在一个 RDMA 设备上执行 ibv_rc_pingpong 的 RC 乒乓测试：可以一个 verb
一个 verb 地走，看每次调用、它的返回值和留下的状态（walk），也可以全速运行
（auto）。

不给出主机时，连接的两端都在本进程里。用 --server 或给出主机时只是其中一端，
另一端是另一个 ibtour，或就是 ibv_rc_pingpong。`,
		example: `  ibtour                            在屏幕上走一遍
  ibtour auto                       全速运行整个乒乓测试
  ibtour explain ibv_reg_mr         看一个主题的说明`,
	},
	tour: commandText{
		short: "在屏幕上走一遍（不带命令的 ibtour 做的就是这个）",
		long: `tour 在屏幕上展示乒乓测试：按一个键就做下一件事，每次调用都说明为什么要做、
实际的参数、返回值和它改变了什么。按 ? 显示按键。`,
		example: `  ibtour tour -d soft0              用 ibtour 内置的设备
  ibtour tour --server              只做一端，客户端在别处`,
	},
	auto: commandText{
		short: "全速运行整个乒乓测试",
		long: `auto 全速运行 ibv_rc_pingpong 的乒乓测试，输出它的数据和往返时间的分布。
不给出 HOST 时两端都在本进程里。

对端可以是 ibv_rc_pingpong：两端的 -s 和 -n 必须相同。原程序留给用户去做的事，
这里都会做：选择 GID，让 MTU 适合端口，用 -c 校验每个字节；不能用的端口，
在告诉对端任何信息之前就会拒绝。`,
		example: `  ibtour auto                       两端都在这里
  ibtour auto --server              等待客户端
  ibtour auto 192.0.2.1 -n 10000    作那个服务器的客户端
  ibv_rc_pingpong -g 1 192.0.2.1    原程序作 “ibtour auto --server” 的客户端`,
	},
	walk: commandText{
		short: "一个 verb 一个 verb 地走完乒乓测试，输出纯文本",
		long: `walk 一步一步地执行乒乓测试，每一步都输出为什么要做、带实际数值的调用、
返回值和它改变了什么。在终端上，每一步之前它都等待回车；其间适配器照常确认
收到的消息，对端不受影响。按 i 逐个走过这一步的调用，相同的也不例外；按 u 执行
其余的。在管道里它不停顿。不给出 HOST 时两端都在本进程里。

每个调用下面是内核显示的内容：本用户可以观察到的系统调用（root 可以观察），以及它
映射的设备内存。`,
		example: `  ibtour walk                       两端都在这里
  ibtour walk --at client/qp_rtr    运行到这一步，此后每步都等待
  ibtour walk --json | jq .         每个事件一行 JSON`,
	},
	devices: commandText{
		short: "列出 RDMA 设备、它们的端口和 GID，以及哪些能用",
		long: `devices 列出本机的 RDMA 设备和 ibtour 内置的 soft0：每个端口的状态和 GID，
以及乒乓测试能否在它上面运行，不能则说明原因。`,
		example: `  ibtour devices
  ibtour devices --json | jq .`,
	},
	explain: commandText{
		short: "解释一个 verb、错误、完成状态或概念",
		long: `explain 显示解释某个主题的那一页，有英文和中文。主题可以是一个 verb（带不带 ibv_
都行）、一个 errno、一个完成状态的名字或数值、词汇表里的词、某一页的标题，或从终端
粘贴来的一行输出，用哪种语言都可以。不给出 TOPIC 时列出全部主题。

退出状态：0；没有这个主题的内容时为 2。`,
		example: `  ibtour explain                    有哪些主题
  ibtour explain ibv_modify_qp
  ibtour explain EINVAL
  ibtour explain Failed status transport retry counter exceeded
  ibtour explain --lang zh 内存注册`,
	},
	handout: commandText{
		short: "执行乒乓测试，并把这次运行写成一份文档",
		long: `handout 在本进程里走完乒乓测试的两端，并把这次运行写成一份文档：每一步的正文、
C 的调用、返回值和改变了什么、soft0 的数据包、源码和队列对的状态；然后是测量数据，
以及正文链接到的页面和词汇表。所有数值都来自这次运行。

-o 给出的文件名决定格式：FILE.md 是 Markdown，FILE.html 是不依赖其他文件的网页，
有浅色和深色，也适合 A4 纸。没有 -o 时，Markdown 写到标准输出。
运行失败时不留下文件。`,
		example: `  ibtour handout -o pingpong.html
  ibtour handout --lang zh -e -n 10 -o events.md`,
	},
	man: "输出手册页", helpShort: "显示某个命令的帮助",
	helpLong:   "help 显示一个命令的帮助：ibtour help COMMAND。",
	completion: "为指定的 shell 生成自动补全脚本",
	completionLong: "为指定的 shell 生成 ibtour 的自动补全脚本。\n" +
		"用法见各子命令的帮助（英文）。",
	noDescriptions: "补全时不显示说明", completionFor: "为 %s 生成自动补全脚本",
	loadCompletion: "\n\n在当前 shell 中加载：\n\n    %s\n\n要在每个新 shell 中加载，执行一次：\n\n    %s",

	exitStatus: `退出状态：
    0  乒乓测试已完成，或读者按 q 离开
    1  失败；标准错误上有一行，说明在哪一步、为什么
    2  命令行有错
    3  没有可用的 RDMA 设备
    4  收到的消息里有错误的字节（-c）
   70  ibtour 自身的错误，请报告
  128+N  被信号 N 终止，此前已拆除一切`,
	options: optionText{
		server:    "只作服务器，等待客户端",
		port:      "交换地址用的 TCP `端口`",
		device:    "RDMA `设备`（默认：第一个可用的；没有就用 ibtour 内置的 soft0）",
		ibPort:    "设备的`端口`，从 1 开始编号",
		size:      "一条消息的`字节数`；两端必须相同",
		mtu:       "路径 MTU 的`字节数`：256、512、1024、2048 或 4096；不超过端口的 MTU",
		rxDepth:   "保持投递的`接收数`",
		iters:     "往返`次数`；两端必须相同",
		sl:        "服务`级别`",
		events:    "睡眠等待完成事件，而不是轮询",
		gid:       "本端 GID 的`索引`（默认：能到达对端的地址上的 RoCE v2 GID）",
		check:     "校验每条消息的每个字节；两端都要给出",
		wait:      "对端在这段`时间`内什么也不发来就放弃；0 表示一直等",
		pcap:      "把 soft0 的数据包，或能抓到的 Soft-RoCE 数据包，写到这个`文件`（pcapng）",
		json:      "输出 JSON",
		lang:      "所有文字的`语言`：en 或 zh（默认：由 LC_ALL 或 LANG 决定）",
		at:        "运行到这一`步`（例如 qp_rtr 或 client/qp_rtr），此后每步都停",
		theme:     "`主题`：dark、light 或 plain（默认：由终端决定）",
		presenter: "字大而少，供投影用",
		pause:     "每一步之前等待回车：`何时`为 auto（在终端上）、always 或 never",
		brief:     "不输出讲解",
		output:    "写到这个`文件`，.md 或 .html",
		width:     "输出的`列数`（默认：终端的列数，页面最多 100）",
	},

	usage: "用法：", examples: "示例：", commands: "命令：", flags: "选项：", anyFlag: "[选项]", anyCommand: "[命令]",
	bashPackage: "\n\n脚本需要软件包 bash-completion。",
	more:        `用 “{{.CommandPath}} [命令] --help” 查看某个命令的详细说明。`,
	helpFor:     "%s 的帮助", versionFor: "%s 的版本", byDefault: "（默认 %s）",

	unknownFlag: "没有选项 --%s", unknownShort: "没有选项 %q（在 -%s 里）",
	needsValue: "选项 --%s 需要一个值", needsValueShort: "选项 %q（在 -%s 里）需要一个值",
	badValue: "值 %q 不能用于选项 %q：%s",
	kinds: map[string]string{
		"int": "应为一个数", "duration": "应为 30s 这样的时间", "bool": "应为 true 或 false", "string": "应为文字",
	},
	unknownCommand: "%[2]q 没有命令 %[1]q",
	optionsOf:      "%w；%s --help 列出各选项",
	noArguments:    "%s 不带参数，却给出了 %q；%[1]s --help 列出各选项",
	manyHosts:      "给出了 %d 个主机（%q …）：客户端只有一个对端；%s --help 列出各选项",
	notKnown:       "%s 没有 %q：应为 %s",
	or:             "%s 或 %s",
	comma:          "、", semicolon: "；",
	serverAndHost: "--server 与主机不能同时给出：服务器等待客户端来连接",
	negativeWait:  "--wait %v 是负数：请给出 30s 这样的时间，或用 0 表示一直等",
	noSuchStep:    "--at %q 不是这次运行的步骤：ibtour walk --json 会列出各步骤",
	width:         "--width %d 不在 %d..%d 之内",
	handoutAlone:  "handout 的两端都在本进程里，写出的是文档：没有 --server 和 --json",
	outputName:    "-o %s：文件名必须以 .md 或 .html 结尾，由它决定格式",
	outputFolder:  "-o %s：没有目录 %s",
	outputSpecial: "-o %s：它已存在，又不是普通文件，所以不会覆盖",
	captured:      "数据包在 %s 上抓取",
	captureLeft:   "%s 上另有 %d 个属于其他 QP 的数据包，不显示；抓包丢失 %d 个",
	capturePaused: "全速运行时其余的不抓，以免拖慢",
	notByAdapter:  "%s 由 %s 驱动：数据包由适配器产生，不经过任何可以抓包的网络设备",
	notInDevice:   "两端都在 %s 上，由驱动自己交接数据包：不经过任何可以抓包的网络设备",
	notPermitted:  "抓取 %s 的数据包需要 CAP_NET_RAW：请以 root 运行 ibtour，或给程序授权一次：sudo setcap cap_net_raw+ep %s",
	notCaptured:   "无法抓取 %s 的数据包：%s",

	noUsable: "没有可用的 RDMA 设备：%v",
	none: "没有找到 RDMA 设备：没有适配器，或它的驱动没有加载" +
		"（root 可以用 Soft-RoCE 建一个：rdma link add rxe0 type rxe netdev INTERFACE）",
	noKernel: "这个内核没有 RDMA：真实的设备需要适配器和它的驱动，" +
		"或内核模块 rdma_rxe（Soft-RoCE）",
	usingSoft: "改用 ibtour 内置的 RoCE v2 设备 %s：%v",
	notUsable: "%s 不能用：%s",
	noPort:    "%s 没有端口 %d",
	noGID:     "它没有 RoCE v2 GID：它的网络接口没有 IP 地址",

	softDetail:  "ibtour 内置的 RoCE v2 设备：每个数据包都看得见",
	noScreen:    "没有可以绘制的终端：改为 ibtour walk",
	noLID:       "无（以太网：GID 就是地址）",
	lidUnset:    "0（还没有子网管理器分配）",
	lid:         "%d（由 LID 为 %d 的子网管理器分配）",
	rateUnknown: "未知（宽度代码 %d，速度代码 %d）",

	unusable: "不能用：%s", port: "端口 %d", physically: "%s，物理状态 %s", mtus: "当前 %d，最大 %d",
	state: "状态", linkLayer: "链路层", rate: "速率", pingPong: "乒乓测试",
	usable: "可用", wrongGID: "（这里不能用：需要 RoCE v2）",

	ofEnd:    "%s：%s",
	roles:    map[string]string{"server": "服务器", "client": "客户端"},
	bothEnds: "两端", local: "本端地址：", remote: "对端地址：", roundTrips: "往返",
	bytes:    "%d 字节，用时 %.2f 秒 = %.2f Mbit/s（有效载荷，双向合计）",
	trips:    "%d 次往返，用时 %.2f 秒 = 每次往返 %.2f µs（一去一回）",
	spread:   "往返时间：最小 %s，中位 %s，p99 %s，p99.9 %s，最大 %s",
	repeated: "… 这样的调用共 %d 次，合计 %v",
	note:     "备注：%s",
	stopping: "== 停止：%s ==\n   已创建的一切随即拆除",
	done:     "== 完成：所有对象都已销毁 ==",
	measured: "%s，全速运行，手动走过的往返不计入：",
	packet:   "数据包：%s", morePackets: "… 另有 %d 个数据包",
	completed: "工作完成：wr_id %d，%s", also: "，", failed: "失败：%s",
	size: "%d 字节", askACK: "要求 ACK", prompt: "[回车] 继续   [i] 逐个调用   [q] 离开 ",
	promptCall: "第 %d / %d 次调用：[回车] 执行   [u] 执行本步其余的   [q] 离开 ",
	promptNth:  "第 %d 次调用：[回车] 执行   [u] 执行本步其余的   [q] 离开 ",
	notEntered: "没有进入任何一步：i 进入即将执行的一步",
	kernelCall: "内核：%s", kernelNone: "内核：没有对 RDMA 文件、套接字或内存的系统调用",
	mapped: "内核：+ 新增映射 %s", unmapped: "内核：- 解除映射 %s", opened: "内核：+ 打开 fd %s", closed: "内核：- 关闭 fd %s",
	kernelLost: "内核：有 %d 次进出在缓冲区里放不下：列表不完整",
	left:       "读者已离开", signal: "被信号 %v 终止", stdout: "标准输出：%w",
}
