package exchange

import (
	"errors"
	"os"
	"strings"
	"time"

	"ibtour/annotations/words"
)

// wording holds every sentence for people in one language. A missing field is
// an error of the linter.
type wording struct {
	likely                           map[Likely]string      // what most likely happened and what to do, as the end of a sentence
	phases                           map[Phase]words.Format // what is being done, with a peer or a port
	reasons                          map[Reason]string      // what is wrong with a record
	because                          words.Format           // what was done, what happened
	waited                           words.Format           // for a time
	got                              words.Format           // so much of a message
	excerpt                          words.Format           // what came of it
	advice                           words.Format           // what most likely happened
	comma                            string                 // between the addresses of a host
	record                           words.Format           // offset, field, reason, excerpt
	port                             words.Format           // of this machine
	peer                             words.Format           // host, port
	noPort                           words.Format           // a number that is none, and its limits
	silent, closed, notDone, expired string

	// Notices for a person who waits.
	noClient, noAddress, noDone words.Format
}

func wordingIn(lang string) *wording { return words.In(lang, &english, &chinese) }

// Text returns what most likely happened and what to do, as the end of a
// sentence. Unknown has no text.
func (l Likely) Text(lang string) string { return wordingIn(lang).likely[l] }

// Error returns one line: what was done, with whom, what happened, and what
// most likely was the reason. It is in the language of the Config.
func (e *PeerError) Error() string {
	w := wordingIn(e.lang)
	s := w.because.With(strings.TrimSpace(w.phases[e.Phase].With(e.Peer)), w.cause(e.Err))
	if e.Waited > 0 {
		s += w.waited.With(e.Waited.Round(time.Second / 10))
	}
	var rec *RecordError
	if e.Want > 0 && !errors.As(e.Err, &rec) {
		s += w.got.With(len(e.Got), e.Want)
		if len(e.Got) > 0 {
			s += w.excerpt.With(Excerpt(e.Got))
		}
	}
	if t := w.likely[e.Likely]; t != "" {
		s += w.advice.With(t)
	}
	return s
}

// cause returns what happened. An errno keeps its name.
func (w *wording) cause(err error) string {
	var rec *RecordError
	var tried attempts
	switch {
	case errors.As(err, &rec):
		return w.record.With(rec.Offset, rec.Field, w.reasons[rec.Reason], Excerpt(rec.Got))
	case errors.As(err, &tried):
		texts := make([]string, len(tried))
		for i, a := range tried {
			texts[i] = w.because.With(a.addr.String(), w.cause(a.err))
		}
		return strings.Join(texts, w.comma)
	case errors.Is(err, ErrSilent):
		return w.silent
	case errors.Is(err, ErrClosed):
		return w.closed
	case errors.Is(err, ErrNotDone):
		return w.notDone
	case err == os.ErrDeadlineExceeded: //nolint:errorlint // that very one: a context's has its own text
		return w.expired
	}
	return err.Error()
}

// Text returns the notice for a person who waits.
func (n Waiting) Text() string {
	w, d := wordingIn(n.lang), n.Waited.Round(time.Second)
	if n.Phase == Accepting {
		return w.noClient.With(d)
	}
	if n.Phase == ReadingDone {
		return w.noDone.With(n.Peer, d)
	}
	return w.noAddress.With(n.Peer, d)
}
