package steps

import "ibtour/verbs/kernel"

// UnwatchedText says in a language why system calls were not observed, and
// what to do about it.
func UnwatchedText(e *kernel.WatchError, lang string) string {
	w := wordingIn(lang)
	switch e.Reason {
	case kernel.WatchNoTracefs:
		return w.noTracefs.With(e.Text)
	case kernel.WatchForbidden:
		if e.Paranoid == "" {
			return w.watchForbidden.With(e.Text)
		}
		return w.watchForbidden.With(e.Text) + w.paranoid.With(e.Paranoid)
	case kernel.WatchElsewhere:
		return w.watchElsewhere.With(e.Text)
	case kernel.WatchFailed:
	}
	return w.unwatched.With(e.Text)
}
