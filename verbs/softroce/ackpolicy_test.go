package softroce

import "testing"

// TestAckPolicyShallowQueue: a peer whose send queue holds 16 messages waits
// for the ACK when they are sent, and rarely has to.
func TestAckPolicyShallowQueue(t *testing.T) {
	var p ackPolicy
	late, unacked := 0, 0
	for range 10_000 {
		p.message(1)
		unacked++
		switch {
		case !p.holds(1):
			p.sent()
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
	p.message(1)
	if !p.holds(ackLongest) || p.holds(1+ackLongest) {
		t.Error("the ACK does not wait until the longest time has passed")
	}
}

// play plays n messages of a peer that does not wait, and returns how many ACKs
// leave.
func (p *ackPolicy) play(n int) (acks int) {
	for range n {
		p.message(1)
		if !p.holds(1) {
			acks++
			p.sent()
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
		if p.holds(1) {
			late++
			p.failed()
			continue
		}
		p.sent()
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
