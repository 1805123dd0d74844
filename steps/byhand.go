package steps

import "context"

// iterateByHand makes one iteration call by call, as the steps before it did:
// the client sends, the server answers, the client takes the answer. Of a peer
// elsewhere only this end's part is made. What is left of the last iteration,
// the completion of a send that nothing follows, is for full speed.
func iterateByHand(ctx context.Context, ends []*End) (more bool, err error) {
	last := ends[len(ends)-1]
	if last.Flow.Received == last.Flow.Iters {
		return false, nil
	}
	last.notify(last.say().byHand.With(last.Flow.Received+1, last.Flow.Iters))
	if client := endOf(ends, Client); client != nil {
		if err := postSend(ctx, client); err != nil {
			return false, err
		}
	}
	if server := endOf(ends, Server); server != nil {
		if err := server.takeByHand(ctx); err != nil {
			return false, err
		}
		if err := postSend(ctx, server); err != nil {
			return false, err
		}
	}
	if client := endOf(ends, Client); client != nil {
		return true, client.takeByHand(ctx)
	}
	return true, nil
}

// takeByHand takes the peer's message and refills the receives if it is time.
func (e *End) takeByHand(ctx context.Context) error {
	if e.Opts.Events {
		if err := getCQEvent(ctx, e); err != nil {
			return err
		}
	}
	if err := pollCQ(ctx, e); err != nil || e.due.Recvs == 0 {
		return err
	}
	return repostRecv(ctx, e)
}

func endOf(ends []*End, r Role) *End {
	for _, e := range ends {
		if e.Role == r {
			return e
		}
	}
	return nil
}
