package steps

import "ibtour/annotations/words"

// wording holds every sentence for people in one language. A missing field is
// an error of the linter.
type wording struct {
	titles map[string]string // of the steps, by the title in tour.go
	phases map[Phase]string
	work   map[uint64]string // work requests that can complete, by a sum of wr_id

	// Notices: what was decided, what is being waited for.
	listening, stray, polling, clamped, plenty, byHand words.Format
	gidAsked, gidLocal, gidPeer, gidBest               words.Format

	// The device and its port.
	noKernel, mode, noDevice, which, iwarp                                   words.Format
	inactive, noLID, tooLong, noPort                                         words.Format
	whyDisabled, whyNoLink, whyNoManager, whyNotYet                          string
	memlock, memlockNone, completions, receives                              words.Format
	emptyGID, noGID, noPeerGID, oneGID, sameAddress, noCarrier, otherCarrier words.Format
	thePeer                                                                  string
	noNeighbour, noNetwork, noHost, wrongInterface                           words.Format

	// Options.
	outside, noMTU                                                    words.Format
	whyIBPort, whyTCPPort, whySize, whyDepth, whyIters, whySL, whyGID string

	// The observation of system calls.
	unwatched, noTracefs, watchForbidden, paranoid, watchElsewhere words.Format

	// Messages.
	otherSize, unmarked, damaged, silence, order words.Format
}

func wordingIn(lang string) *wording { return words.In(lang, &english, &chinese) }

// say returns the words for this run.
func (e *End) say() *wording { return wordingIn(e.Opts.Lang) }

// TitleIn returns the title of a step in a language.
func (s *Step) TitleIn(lang string) string { return wordingIn(lang).titles[s.Title] }

// In returns the name of a phase in a language.
func (p Phase) In(lang string) string { return wordingIn(lang).phases[p] }
