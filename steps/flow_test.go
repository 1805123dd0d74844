package steps

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ibtour/verbs"
)

// start returns a flow that has begun.
func start(r Role, iters, depth int) (Flow, Post) {
	f := Flow{Iters: iters, Depth: depth}
	return f, f.Start(r)
}

func TestFlowStart(t *testing.T) {
	client, post := start(Client, 3, 500)
	if want := (Post{Sends: 1}); post != want {
		t.Errorf("the client posts %+v first, want %+v", post, want)
	}
	if client.Pending != RecvID|SendID {
		t.Errorf("the client waits for %d, want both", client.Pending)
	}
	server, post := start(Server, 3, 500)
	if post != (Post{}) {
		t.Errorf("the server posts %+v first, want nothing", post)
	}
	if server.Pending != RecvID {
		t.Errorf("the server waits for %d, want a receive", server.Pending)
	}
}

// The default run of the original posts 500 receives, 499 after the 499th has
// completed, and 499 after the 998th: 1498 for 1000 messages, 498 of which are
// still posted at the end.
func TestFlowRefill(t *testing.T) {
	f, _ := start(Client, 1000, 500)
	posted, refills := f.Posted, []string(nil)
	for !f.Done() {
		for _, id := range []uint64{RecvID, SendID} {
			p, err := f.Complete(id)
			if err != nil {
				t.Fatal(err)
			}
			if p.Recvs > 0 {
				posted += p.Recvs
				refills = append(refills, fmt.Sprintf("%d after %d", p.Recvs, f.Received))
			}
		}
	}
	if got, want := fmt.Sprint(refills), "[499 after 499 499 after 998]"; got != want {
		t.Errorf("refills %s, want %s", got, want)
	}
	if posted != 1498 || f.Posted != 498 {
		t.Errorf("%d receives posted and %d left, want 1498 and 498", posted, f.Posted)
	}
}

// Two ends that follow the rules never find the peer without a receive, never
// overflow a completion queue, and send exactly iters messages each, whatever
// the order in which their completions come.
func TestFlowBothEnds(t *testing.T) {
	for _, c := range []struct{ iters, depth int }{{1, 1}, {1, 500}, {2, 1}, {7, 2}, {100, 3}, {1000, 500}} {
		t.Run(fmt.Sprintf("n%d-r%d", c.iters, c.depth), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			ends := [2]*simEnd{newSimEnd(Server, c.iters, c.depth), newSimEnd(Client, c.iters, c.depth)}
			for steps := 0; !ends[0].flow.Done() || !ends[1].flow.Done(); steps++ {
				i := random.IntN(2)
				ends[i].step(t, random, ends[1-i])
				if steps > 100*c.iters {
					t.Fatal("the two ends wait for each other")
				}
			}
			for _, e := range ends {
				if e.sent != c.iters {
					t.Errorf("%d messages sent, want %d", e.sent, c.iters)
				}
			}
		})
	}
}

// simEnd is an end on a perfect wire.
type simEnd struct {
	flow  Flow
	ready []uint64 // completions that can be polled
	sent  int
}

func newSimEnd(r Role, iters, depth int) *simEnd {
	f, p := start(r, iters, depth)
	e := &simEnd{flow: f}
	if p.Sends > 0 {
		e.ready = append(e.ready, 0) // the first post, taken in step
	}
	return e
}

func (e *simEnd) step(t *testing.T, random *rand.Rand, peer *simEnd) {
	t.Helper()
	if len(e.ready) == 0 {
		return
	}
	i := random.IntN(len(e.ready))
	id := e.ready[i]
	e.ready = append(e.ready[:i:i], e.ready[i+1:]...)
	post := Post{Sends: 1}
	if id != 0 {
		var err error
		if post, err = e.flow.Complete(id); err != nil {
			t.Fatal(err)
		}
	}
	if e.flow.Posted > e.flow.Depth || len(e.ready) > e.flow.Depth+1 {
		t.Fatalf("%d receives posted of %d, %d completions", e.flow.Posted, e.flow.Depth, len(e.ready))
	}
	for range post.Sends {
		e.sent++
		if peer.flow.Posted < 1 {
			t.Fatal("the peer has no receive posted")
		}
		e.ready = append(e.ready, SendID)
		peer.ready = append(peer.ready, RecvID)
	}
}

// Plan must call for exactly what the rules ask for when the completions come,
// in whichever order.
func TestPlanIsWhatTheRulesAsk(t *testing.T) {
	for _, role := range []Role{Client, Server} {
		for _, order := range [][]uint64{{RecvID, SendID}, {SendID, RecvID}} {
			for _, depth := range []int{1, 2, 5, 500} {
				f, _ := start(role, 1003, depth)
				turns := f.Plan(nil, 1<<20)
				for i, turn := range turns {
					if got := drive(t, &f, order); got != turn {
						t.Fatalf("%s -r %d turn %d: rules ask for %+v, plan has %+v", role, depth, i, got, turn)
					}
				}
				if !f.Done() {
					t.Errorf("%s -r %d: the plan ends after %d of %d", role, depth, f.Received, f.Iters)
				}
			}
		}
	}
}

// drive completes what can complete, in an order, and returns the turn it was.
func drive(t *testing.T, f *Flow, order []uint64) verbs.Turn {
	t.Helper()
	var turn verbs.Turn
	expected := f.Expected()
	for _, id := range order {
		if expected&id == 0 {
			continue
		}
		p, err := f.Complete(id)
		if err != nil {
			t.Fatal(err)
		}
		turn.Wait++
		turn.Recvs += uint32(p.Recvs)
		turn.Sends += uint32(p.Sends)
	}
	return turn
}

func TestPlanStops(t *testing.T) {
	f, _ := start(Client, 10, 500)
	if got := len(f.Plan(nil, 4)); got != 4 {
		t.Errorf("a plan of at most 4 turns has %d", got)
	}
	if got := len(f.Plan(nil, 100)); got != 10 {
		t.Errorf("10 iterations make %d turns on the client, want 10", got)
	}
	s, _ := start(Server, 10, 500)
	turns := s.Plan(nil, 100)
	if got := len(turns); got != 11 {
		t.Errorf("10 iterations make %d turns on the server, want 11", got)
	}
	first, last := turns[0], turns[len(turns)-1]
	if want := (verbs.Turn{Wait: 1, Sends: 1}); first != want {
		t.Errorf("the server's first turn is %+v, want %+v", first, want)
	}
	if want := (verbs.Turn{Wait: 1}); last != want {
		t.Errorf("the server's last turn is %+v, want %+v: only its own send is outstanding", last, want)
	}
}

func TestFlowRefusesTheUnexpected(t *testing.T) {
	f, _ := start(Server, 1, 1)
	if _, err := f.Complete(SendID); err == nil {
		t.Error("a send completed that was never posted, and the rules did not mind")
	}
	if _, err := f.Complete(77); err == nil {
		t.Error("wr_id 77 is nobody's, and the rules did not mind")
	}
}
