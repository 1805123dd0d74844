package steps

import (
	"math/bits"

	"ibtour/verbs"
)

// The wr_id of a work request tells what it was when it completes. The values
// are bits, so that a sum of them says what is outstanding.
const (
	RecvID uint64 = 1
	SendID uint64 = 2
)

// Post is what the rules ask to be posted next: receives first, then the send.
type Post struct {
	Recvs int
	Sends int
}

// Flow holds the rules of the ping-pong: what is posted when. They are here
// and nowhere else; a step asks them after each completion, and full speed
// asks them ahead of time (Plan).
//
// The next message is sent when the last one was acknowledged and the peer's
// answer has come. So at most one send is outstanding, at most one message is
// on its way, and a completion queue of depth+1 cannot overflow. The receive
// queue is filled up when one receive is left, before the next send, so that
// the peer never meets an empty one.
type Flow struct {
	Iters    int    // messages each way
	Depth    int    // receives to keep posted
	Sent     int    // sends completed
	Received int    // receives completed
	Posted   int    // receives posted and not completed (routs)
	Pending  uint64 // what the next send waits for: bits of RecvID and SendID
}

// Start begins the exchange with all receives posted, and returns what to
// post: the client sends, the server waits.
func (f *Flow) Start(r Role) Post {
	f.Posted = f.Depth
	if r == Client {
		return f.send()
	}
	f.Pending = RecvID
	return Post{}
}

func (f *Flow) send() Post {
	f.Pending = RecvID | SendID
	return Post{Sends: 1}
}

// Complete takes note of a completed work request and returns what to post.
func (f *Flow) Complete(id uint64) (Post, error) {
	if f.Expected()&id == 0 || bits.OnesCount64(id) != 1 {
		return Post{}, english.order.Err(id, workText(f.Expected()))
	}
	var p Post
	if id == RecvID {
		f.Received++
		f.Posted--
		if f.Posted <= 1 {
			p.Recvs = f.Depth - f.Posted
			f.Posted = f.Depth
		}
	} else {
		f.Sent++
	}
	f.Pending &^= id
	if f.Pending == 0 && f.Sent < f.Iters {
		p.Sends = f.send().Sends
	}
	return p, nil
}

// Expected returns which completions can still come before the next send.
func (f *Flow) Expected() uint64 {
	e := f.Pending
	if f.Received == f.Iters {
		e &^= RecvID
	}
	return e
}

// Done reports whether all messages went both ways.
func (f *Flow) Done() bool { return f.Sent >= f.Iters && f.Received >= f.Iters }

// Plan appends up to most turns to turns: the rules run ahead on a copy of
// the flow, as if every expected completion had come. The order in which the
// two completions of a turn come makes no difference to what is posted after
// both.
func (f Flow) Plan(turns []verbs.Turn, most int) []verbs.Turn {
	for n := 0; n < most && !f.Done(); n++ {
		t, expected := verbs.Turn{}, f.Expected()
		for _, id := range []uint64{RecvID, SendID} {
			if expected&id == 0 {
				continue
			}
			p, err := f.Complete(id)
			if err != nil {
				return turns // Expected said it could come
			}
			t.Wait++
			t.Recvs += uint32(p.Recvs)
			t.Sends += uint32(p.Sends)
		}
		turns = append(turns, t)
	}
	return turns
}

// workText names the bits of a sum of RecvID and SendID.
func workText(ids uint64) string { return english.work[ids] }
