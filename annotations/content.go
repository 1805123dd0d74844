package annotations

import "embed"

//go:embed en
var content embed.FS

// concepts are the concept pages in the order in which to read them.
var concepts = []string{}
