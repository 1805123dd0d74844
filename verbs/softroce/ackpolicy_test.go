package softroce

import (
	"testing"
	"time"
)

// TestAckPolicyShallowQueue: a peer whose send queue holds 16 messages waits
// for the ACK when they are sent, and rarely has to.
func TestAckPolicyShallowQueue(t *testing.T) {
	var p ackPolicy
	late, unacked := 0, 0
	for range 10_000 {
		p.message(1)
		unacked++
		switch {
		case !p.holds(ackLongest):
			p.sent(ackLongest)
			unacked = 0
		case unacked == 16:
			late++
			p.failed()
			unacked = 0
		}
	}
	if late > 11 {
		t.Errorf("the peer waited %d times in 10000 messages", late)
	}
}

func TestAckPolicyNeverLong(t *testing.T) {
	var p ackPolicy
	p.play(100)
	for _, c := range []struct {
		heard time.Duration // the second message; the first came at 1
		holds bool
	}{{ackLongest, true}, {1 + ackLongest, false}} {
		p.messages, p.since, p.heard, p.gap = 2, 1, c.heard, 0
		if p.holds(ackLongest) != c.holds {
			t.Errorf("%v after the first message the ACK waits: %t", c.heard-p.since, !c.holds)
		}
	}
}

// play plays n messages of a peer that does not wait, and returns how many ACKs
// leave.
func (p *ackPolicy) play(n int) (acks int) {
	for range n {
		p.message(1)
		if !p.holds(ackLongest) {
			acks++
			p.sent(ackLongest)
		}
	}
	return acks
}

func TestAckPolicyPeerDoesNotWait(t *testing.T) {
	var p ackPolicy
	p.play(100)
	if acks := p.play(800); acks != 800/ackHeldMax {
		t.Errorf("%d ACKs for 800 messages, want one for %d", acks, ackHeldMax)
	}
}

func TestAckPolicyPeerWaits(t *testing.T) {
	var p ackPolicy
	late := 0
	for range 10_000 {
		p.message(1)
		if p.holds(ackLongest) {
			late++
			p.failed()
			continue
		}
		p.sent(ackLongest)
	}
	// 8 + 16 + 32 + ... + 4096 messages until the tries are rarest.
	if late > 11 {
		t.Errorf("the peer waited %d times in 10000 messages", late)
	}
}

func TestAckPolicyRecovers(t *testing.T) {
	p := ackPolicy{patience: ackPatienceMax}
	p.play(ackPatienceMax)
	p.play(20 * ackHeldMax)
	if p.patience != ackPatienceMin {
		t.Errorf("patience %d after twenty successes", p.patience)
	}
}

// A peer that has many queue pairs to serve sends on each of them rarely.
func TestAckPolicySlowPeer(t *testing.T) {
	for _, c := range []struct {
		gap  time.Duration
		acks int // for 300 messages
	}{
		{100 * time.Microsecond, 300 / ackHeldMax},
		{2 * time.Millisecond, 300 / 9}, // the tenth would come 18 ms after the first
		{9 * time.Millisecond, 300 / 2},
		{17 * time.Millisecond, 300}, // no second one would come in time
	} {
		var p ackPolicy
		now, acks := time.Duration(1), 0
		for i := range 400 {
			if i >= 100 && p.messages > 0 && p.silent(now-1, ackLongest) {
				t.Fatalf("a peer that sends every %v is thought to be silent", c.gap)
			}
			p.message(now)
			if !p.holds(ackLongest) {
				p.sent(ackLongest)
				if i >= 100 {
					acks++
				}
			}
			now += c.gap
		}
		if acks < c.acks || acks > c.acks+1 {
			t.Errorf("a peer that sends every %v gets %d ACKs for 300 messages, want %d", c.gap, acks, c.acks)
		}
	}
}

func TestAckPolicySilent(t *testing.T) {
	p := ackPolicy{heard: 1, gap: 2 * time.Millisecond}
	if p.silent(6*time.Millisecond, ackLongest) || !p.silent(1+6*time.Millisecond, ackLongest) {
		t.Error("a peer is not silent after three of its usual gaps, or before")
	}
	if !p.silent(1+time.Millisecond, time.Millisecond) {
		t.Error("the ACK waits for longer than it may")
	}
	p.gap = time.Microsecond
	if p.silent(ackSilence, ackLongest) || !p.silent(1+ackSilence, ackLongest) {
		t.Error("a quick peer is not silent after the shortest time, or before")
	}
}

// A peer that pauses once, while nothing is tried, has not waited for the ACK.
func TestAckPolicyPause(t *testing.T) {
	var p ackPolicy
	p.play(100)
	most := p.most
	for range 5 {
		p.message(1)
		p.silence()
		if p.most != most {
			t.Fatalf("after a pause an ACK covers %d messages, want %d as before", p.most, most)
		}
		p.play(ackHeldMax)
	}
	for range 2 {
		p.message(1)
		p.silence()
	}
	if p.most != most/2 {
		t.Errorf("after two pauses in a row an ACK covers %d messages, want %d", p.most, most/2)
	}
}

// After a silence or a repeated request the ACK leaves.
func TestAckPolicyLeaves(t *testing.T) {
	for name, late := range map[string]func(*ackPolicy){"silence": (*ackPolicy).silence, "failed": (*ackPolicy).failed} {
		var p ackPolicy
		p.play(100)
		p.message(1)
		held := p.holds(ackLongest)
		late(&p)
		if !held || p.holds(ackLongest) {
			t.Errorf("%s: the ACK waits %t before and %t after", name, held, p.holds(ackLongest))
		}
	}
}
