package softroce

import "testing"

// play plays n messages of a peer that does not wait, and returns how many ACKs
// leave.
func (p *ackPolicy) play(n int) (acks int) {
	for range n {
		p.message()
		if !p.holds() {
			acks++
			p.sent()
		}
	}
	return acks
}

func TestAckPolicyPeerDoesNotWait(t *testing.T) {
	var p ackPolicy
	p.play(ackPatienceMin)
	if acks := p.play(800); acks != 100 {
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
	p.play(ackPatienceMax)
	p.play(20 * ackHeldMax)
	if p.patience != ackPatienceMin {
		t.Errorf("patience %d after twenty successes", p.patience)
	}
}
