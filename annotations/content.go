package annotations

import "embed"

//go:embed en zh
var content embed.FS

// concepts are the concept pages in the order in which to read them.
var concepts = []string{
	"why-rdma",
	"kernel-bypass",
	"fabrics",
	"stack",
	"drivers-and-packages",
	"memory-registration",
	"keys-and-protection",
	"qp-states",
	"work-and-completions",
	"polling-and-events",
	"flow-control",
	"reliability",
	"exchange",
	"mtu",
	"gids",
	"teardown",
	"measuring",
	"checkpointing",
	"completion-statuses",
	"errnos",
	"reading-a-failure",
}
