package softroce

import "testing"

// messages plays n messages of a peer and returns how many ACKs leave.
func (p *ackPolicy) play(n int, waits bool) (acks int) {
	for range n {
		p.message()
		switch {
		case !p.holds():
			acks++
			p.sent()
		case waits: // the peer is silent, and the ACK leaves late
			p.failed()
			acks++
		}
	}
	return acks
}

func TestAckPolicyPeerDoesNotWait(t *testing.T) {
	var p ackPolicy
	p.play(ackPatienceMin, false)
	if acks := p.play(800, false); acks != 100 {
		t.Errorf("%d ACKs for 800 messages, want one for %d", acks, ackHeldMax)
	}
}

func TestAckPolicyPeerWaits(t *testing.T) {
	var p ackPolicy
	late := 0
	for range 10_000 {
		p.message()
		if p.holds() {
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
	p.play(ackPatienceMax, false)
	p.play(20*ackHeldMax, false)
	if p.patience != ackPatienceMin {
		t.Errorf("patience %d after twenty successes", p.patience)
	}
}
