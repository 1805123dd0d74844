// Command ibtour executes the RC ping-pong of ibv_rc_pingpong verb by verb on
// an RDMA device, and shows each call, its result and the state it leaves.
//
// To read: root.go and flags.go for the command line, device.go for the choice
// of a device, auto.go, walk.go and devices.go for the commands, exit.go for
// what the exit status means, wording.go for all that is said, in each language.
package main

import (
	"context"
	"io"
	"os"
)

func main() {
	ctx, stop := withSignals(context.Background())
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns its exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := &app{in: stdin, out: stdout, err: stderr, lang: languageOf(args)}
	root := app.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return app.exit(root.ExecuteContext(ctx))
}
