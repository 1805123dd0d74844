package exchange_test

import (
	"context"
	"fmt"
	"net/netip"

	"ibtour/steps/exchange"
	"ibtour/verbs"
)

// Both ends of the exchange, one call after the other, as a tour makes them.
func Example() {
	ctx := context.Background()
	must := func(err error) {
		if err != nil {
			fmt.Println(err)
		}
	}
	cfg := exchange.Config{Patience: exchange.Patience{Limit: exchange.DefaultLimit}}
	server, err := cfg.Listen(ctx, 0) // exchange.Port for ibv_rc_pingpong
	must(err)
	defer server.Close()
	client, err := cfg.Dial(ctx, "::1", int(server.LocalAddr().Port()))
	must(err)
	defer client.Close()

	must(client.SendAddress(ctx, exchange.Address{
		QPN: 0x11, PSN: 0xabc123, GID: verbs.GIDOf(netip.MustParseAddr("192.0.2.1")),
	}))
	must(server.Accept(ctx))
	remote, err := server.ReadAddress(ctx)
	must(err)
	fmt.Println("the server has:", remote)
	// Here the server moves its queue pair to RTR and RTS.
	must(server.SendAddress(ctx, exchange.Address{QPN: 0x12, PSN: 0x456789, GID: remote.GID}))
	remote, err = client.ReadAddress(ctx)
	must(err)
	fmt.Println("the client has:", remote)
	must(client.SendDone(ctx))
	must(server.ReadDone(ctx))
	// Now the client moves its own.

	// Output:
	// the server has: 0000:000011:abc123:00000000000000000000ffffc0000201
	// the client has: 0000:000012:456789:00000000000000000000ffffc0000201
}
