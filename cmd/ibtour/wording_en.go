package main

var english = wording{
	root: commandText{
		short: "See an RDMA program happen, verb by verb",
		long: `ibtour executes the RC ping-pong of ibv_rc_pingpong on an RDMA device: verb by
verb, with each call, its result and the state it leaves (walk), or at full speed
(auto).

Without a host both ends of the connection are in this process. With --server or a
host it is one end, and the other is another ibtour or ibv_rc_pingpong itself.`,
		example: `  ibtour                            the tour on screen
  ibtour auto                       the whole run at full speed
  ibtour explain ibv_reg_mr         a page on one topic`,
	},
	tour: commandText{
		short: "Take the tour on screen (what ibtour does without a command)",
		long: `tour shows the ping-pong on screen: one key does the next thing, and at each call there is
why it is made, its live arguments, its result and what it changed. ? shows the keys.`,
		example: `  ibtour tour -d soft0              on the device inside ibtour
  ibtour tour --server              one end; its client is elsewhere`,
	},
	auto: commandText{
		short: "Run the whole ping-pong at full speed",
		long: `auto runs the ping-pong of ibv_rc_pingpong at full speed and prints its figures and the
distribution of the round trip. Without HOST both ends are in this process.

The peer may be ibv_rc_pingpong: give both the same -s and -n. What the original leaves to
its user is done here: a GID is chosen, the MTU fits the port, -c looks at every byte, and a
port that cannot work is refused before the peer is told anything.`,
		example: `  ibtour auto                       both ends here
  ibtour auto --server              wait for a client
  ibtour auto 192.0.2.1 -n 10000    be the client of that server
  ibv_rc_pingpong -g 1 192.0.2.1    the original as the client of "ibtour auto --server"`,
	},
	walk: commandText{
		short: "Walk through the ping-pong verb by verb, as plain text",
		long: `walk executes the ping-pong one step at a time and prints for each step why it is made,
the call with its values, what it returned and what it changed. On a terminal it waits for
Enter before each step; the adapter goes on acknowledging meanwhile, so the peer does not
mind. i goes through the calls of the step one by one, equal ones too, u makes the rest of
them. In a pipe it runs on. Without HOST both ends are in this process.

Below each call stands what the kernel showed of it: its system calls, as far as this user
may observe them (root may), and the device memory it mapped.`,
		example: `  ibtour walk                       both ends here
  ibtour walk --at client/qp_rtr    run on to that step, then wait at each
  ibtour walk --json | jq .         every event as a line of JSON`,
	},
	devices: commandText{
		short: "List RDMA devices, their ports and GIDs, and which can be used",
		long: `devices lists the RDMA devices of this machine and soft0, which is inside ibtour: each port
with its state and its GIDs, and whether the ping-pong can run on it or why not.`,
		example: `  ibtour devices
  ibtour devices --json | jq .`,
	},
	explain: commandText{
		short: "Explain a verb, an error, a completion status or an idea",
		long: `explain shows the page that explains a topic, in English or Chinese. A topic is a verb
(with or without ibv_), an errno, a completion status by name or number, a word of the
glossary, the title of a page, or a line of output pasted from a terminal. It may be in
either language. Without TOPIC all topics are listed.

Exit status: 0, or 2 if there is nothing on that topic.`,
		example: `  ibtour explain                    what there is
  ibtour explain ibv_modify_qp
  ibtour explain EINVAL
  ibtour explain Failed status transport retry counter exceeded
  ibtour explain --lang zh 内存注册`,
	},
	handout: commandText{
		short: "Execute the ping-pong and write the run as a document",
		long: `handout walks through the ping-pong with both ends in this process and writes the run as one
document: for each step its text, the calls in C, what they returned and changed, the packets
of soft0, the source and the state of the queue pair; then the figures, and the pages and the
glossary that the texts link to. All values are those of the run.

The name given with -o decides the form: FILE.md is Markdown, FILE.html a page that needs
nothing else, in light and dark and for A4 paper. Without -o Markdown goes to standard
output. A run that fails leaves no file.`,
		example: `  ibtour handout -o pingpong.html
  ibtour handout --lang zh -e -n 10 -o events.md`,
	},
	man: "Print the manual page", helpShort: "Help about any command",
	helpLong:   "help shows the help of a command: ibtour help COMMAND.",
	completion: "Generate the autocompletion script for the specified shell",
	completionLong: "Generate the autocompletion script of ibtour for the specified shell.\n" +
		"See each sub-command's help for details on how to use the generated script.",
	noDescriptions: "disable completion descriptions", completionFor: "Generate the autocompletion script for %s",
	loadCompletion: "\n\nTo load it in this shell:\n\n    %s\n\nTo load it in every new shell, execute once:\n\n    %s",

	exitStatus: `Exit status:
    0  the ping-pong was completed, or its reader left it with q
    1  it failed; one line on standard error says at which step and why
    2  the command line is wrong
    3  there is no usable RDMA device
    4  a message came with a wrong byte (-c)
   70  an error of ibtour itself; please report it
  128+N  ended by signal N, after everything was torn down`,
	options: optionText{
		server:    "be the server alone and wait for a client",
		port:      "TCP `port` of the address exchange",
		device:    "RDMA `device` (default: the first usable one, else soft0, which is inside ibtour)",
		ibPort:    "`port` of the device, counted from 1",
		size:      "`bytes` of a message; the same on both ends",
		mtu:       "path MTU in `bytes`: 256, 512, 1024, 2048 or 4096; no more than the port has",
		rxDepth:   "`receives` to keep posted",
		iters:     "round `trips`; the same on both ends",
		sl:        "service `level`",
		events:    "sleep until there is a completion instead of polling",
		gid:       "`index` of the local GID (default: a RoCE v2 one on the address that reaches the peer)",
		check:     "validate every byte of every message; give it to both ends",
		wait:      "give up when the peer sends nothing for this `time`; 0 waits for ever",
		pcap:      "write the packets of soft0, or those of Soft-RoCE that can be captured, to this `file` (pcapng)",
		json:      "print JSON",
		lang:      "`language` of all texts: en or zh (default: that of LC_ALL or LANG)",
		at:        "run on to this `step` (such as qp_rtr or client/qp_rtr), then stop at each",
		theme:     "`theme`: dark, light or plain (default: that of the terminal)",
		presenter: "large and few, for a projector",
		pause:     "wait for Enter before each step: `when` is auto (on a terminal), always or never",
		brief:     "leave out the annotations",
		output:    "write to this `file`, .md or .html",
		width:     "`columns` of the output (default: those of the terminal, for a page at most 100)",
	},

	usage: "Usage:", examples: "Examples:", commands: "Available Commands:", flags: "Flags:", anyFlag: "[flags]", anyCommand: "[command]",
	bashPackage: "\n\nThe script needs the package bash-completion.",
	more:        `Use "{{.CommandPath}} [command] --help" for more information about a command.`,
	helpFor:     "help for %s", versionFor: "version for %s", byDefault: " (default %s)",

	unknownFlag: "unknown flag: --%s", unknownShort: "unknown shorthand flag: %q in -%s",
	needsValue: "flag needs an argument: --%s", needsValueShort: "flag needs an argument: %q in -%s",
	badValue: "invalid argument %q for %q flag: %s",
	kinds: map[string]string{
		"int": "it is a number", "duration": "it is a time such as 30s", "bool": "it is true or false", "string": "it is a text",
	},
	unknownCommand: "unknown command %q for %q",
	optionsOf:      "%w; %s --help lists the options",
	noArguments:    "%s takes no arguments, and there is %q; %[1]s --help lists the options",
	manyHosts:      "%d hosts given (%q …): a client has one peer; %s --help lists the options",
	notKnown:       "%s %q is not known: it is %s",
	or:             "%s or %s",
	comma:          ", ", semicolon: "; ",
	serverAndHost: "--server and a host exclude each other: the server waits for the client",
	negativeWait:  "--wait %v is negative: give a time such as 30s, or 0 to wait for ever",
	noSuchStep:    "--at %q is no step of this run: ibtour walk --json lists them",
	width:         "--width %d is not in %d..%d",
	handoutAlone:  "handout has both ends in this process and writes a document: there is no --server or --json",
	outputName:    "-o %s: the name must end in .md or .html, which decides the form",
	outputFolder:  "-o %s: there is no directory %s",
	outputSpecial: "-o %s: it exists and is no regular file, so it is not overwritten",
	captured:      "the packets are captured on %s",
	captureLeft:   "on %s: %d packets of other QPs, not shown; %d dropped by the capture",
	capturePaused: "at full speed the rest is not captured, which would slow it",
	notByAdapter:  "%s is driven by %s: its packets are made by the adapter and pass no network device on which they could be captured",
	notInDevice:   "both ends are on %s, whose driver hands the packets over itself: they pass no network device on which they could be captured",
	notPermitted:  "capturing the packets of %s needs CAP_NET_RAW: run ibtour as root, or give it the right once: sudo setcap cap_net_raw+ep %s",
	notCaptured:   "the packets of %s cannot be captured: %s",

	noUsable: "no usable RDMA device: %v",
	none: "no RDMA device was found: no adapter, or its driver is not loaded " +
		"(as root, Soft-RoCE makes one: rdma link add rxe0 type rxe netdev INTERFACE)",
	noKernel: "this kernel has no RDMA: a real device needs an adapter and its driver, " +
		"or the kernel module rdma_rxe (Soft-RoCE)",
	usingSoft: "using %s, the RoCE v2 device inside ibtour: %v",
	notUsable: "%s is not usable: %s",
	noPort:    "%s has no port %d",
	noGID:     "it has no RoCE v2 GID: its interface has no IP address",

	softDetail:  "the RoCE v2 device inside ibtour: every packet can be seen",
	noScreen:    "no terminal that can be drawn on: this is ibtour walk",
	noLID:       "none (Ethernet: the GID is the address)",
	lidUnset:    "0 (no subnet manager has given one)",
	lid:         "%d (given by the subnet manager at LID %d)",
	rateUnknown: "unknown (width code %d, speed code %d)",

	unusable: "not usable: %s", port: "port %d", physically: "%s, physically %s", mtus: "%d active, %d at most",
	state: "state", linkLayer: "link layer", rate: "rate", pingPong: "ping-pong",
	usable: "usable", wrongGID: "  (not usable here: RoCE v2 is needed)",

	ofEnd:    "%s: %s",
	roles:    map[string]string{"server": "server", "client": "client"},
	bothEnds: "both ends", local: "local address:  ", remote: "remote address: ", roundTrips: "round trips",
	bytes:    "%d bytes in %.2f seconds = %.2f Mbit/s (payload, both directions counted)",
	trips:    "%d round trips in %.2f seconds = %.2f µs per round trip (there and back)",
	spread:   "round trip: min %s, median %s, p99 %s, p99.9 %s, max %s",
	repeated: "… %d such calls in all, %v together",
	note:     "note: %s",
	stopping: "== stopping: %s ==\n   what was made is torn down",
	done:     "== done: every object is destroyed ==",
	measured: "%s, at full speed, what was walked by hand not counted:",
	packet:   "packet: %s", morePackets: "… and %d more packets",
	completed: "completion: wr_id %d, %s", also: ", ", failed: "FAILED: %s",
	size: "%d bytes", askACK: "asks for an ACK", prompt: "[Enter] go on   [i] call by call   [q] quit ",
	promptCall: "call %d of %d: [Enter] make it   [u] the rest of the step   [q] quit ",
	promptNth:  "call %d: [Enter] make it   [u] the rest of the step   [q] quit ",
	notEntered: "no step is entered: i enters the one that is about to happen",
	kernelCall: "kernel: %s", kernelNone: "kernel: no system call on an RDMA file or a socket, none of memory",
	mapped: "kernel: + mapped %s", unmapped: "kernel: - unmapped %s", opened: "kernel: + opened fd %s", closed: "kernel: - closed fd %s",
	kernelLost: "kernel: %d ways in or out had no room in the buffer: the list is not complete",
	left:       "left by the reader", signal: "ended by %v", stdout: "standard output: %w",
}
