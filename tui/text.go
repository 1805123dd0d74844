package tui

import (
	"ibtour/steps"
)

// text holds every word of the screen in one language. A missing field is an
// error of the linter; the names of verbs, fields and states stay as they are.
type text struct {
	lang     string
	panels   [panelCount]string
	roles    map[steps.Role]string
	marks    map[steps.Role]string // one cell pair in the step list
	bothHere string
	oneHere  string // with the other end elsewhere

	// What is going on.
	before, after, running, reread, failed string
	stopsLeft                              string

	// Panels.
	returned, inAll, noCall, notes, changed, gone         string
	source, nothingYet, unchanged                         string
	callOf, callNth, callsMade, callsAhead, callsByHand   string
	changedByCall, byHand                                 string
	otherEnd                                              string
	resultTitle, resultNote, roundTrip, iterating         string
	minimum, median, p99, p999, maximum                   string
	overTime                                              string
	payload, perTrip, elapsed, noFigures, fullSpeed       string
	qpNext, qpNeeds, qpMay, qpAny                         string
	queuePosted, queueDone, queueFlight, queueFree        string
	queueCredit, queueUnseen                              string
	queueComing                                           string
	creditSent, creditReceived, creditPosted, creditWaits string
	memPinned, memCounted, memNotPinned, memNone          string
	memChanged, memMeanwhile, memSame, memFilled          string
	memPages, memFolded                                   string
	memByKernel, memBySoft, memNoProc                     string
	memKeysHidden, memRecordOf, memRecordNone             string
	wireNone, wireSent, wireLost, wireMore                string
	wireAgain, wireOpen, wireField                        string
	wireUnsettled, wireAdapter, wireLoopback, wireRefused string
	wireFailed, wireSpec                                  string
	wireOwn, wireCaptured, wireOthers, wireDropped        string
	wirePaused, wireLeaving, wireComing                   string
	wireOffload, wireNoSum, wireSum, wireMissing          string
	wireICRC                                              map[string]string // by trace.Captured.ICRC
	layers                                                [5]string
	layerTouched, layerNot, layerEvidence, layerSoft      string
	layerTrace, layerBypass, layerSystem, layerControl    string
	layerNoCall, layerFD, layerNoFD                       string
	layerSeen, layerNone, layerUnseen, layerHidden        string
	layerAhead, layerRepeats, layerCalls, layerNoCalls    string
	layerOthers, layerLost, layerMapped, layerUnmapped    string
	layerOpened, layerClosed                              string
	kernelNone, kernelOurs, kernelCounters, kernelProcess string
	kernelPinned, kernelLimit, kernelFiles, kernelMatches string
	kernelDiffers, unlimited                              string

	// Failure.
	failTitle, failMeaning, failCheck, failSaw, failKeys string

	// Start screen.
	startTitle, startLead, startDevice, startRole, startHost string
	startSize, startIters, startLang, startGo, startNone     string
	startMissing                                             string
	startUnusable, startEvents, startCheck, startSearching   string
	startRoles                                               [3]string
	yes, no, startHint                                       string

	// Footer and overlays.
	helpTitle, searchTitle, searchNone, searchHint, searchStep string
	searchText, hintBack                                       string
	wrongKey, atStart, atEnd, stillRunning, noBreak            string
	breakOn, breakOff, themeNow, tooSmall, noSource, noPacket  string
	noChange                                                   string
	running2                                                   string
	nothingToEnter, noCallToEnter, recordedAlready, notEntered string

	// End.
	quitTitle, quitDone, quitLeave, doneTitle, doneLead, doneKeys string

	keys keyText
}

// texts are the languages there are.
var texts = map[string]*text{"en": &english, "zh": &chinese}

// other returns the next language.
func (t *text) other() *text {
	if t.lang == "en" {
		return texts["zh"]
	}
	return texts["en"]
}
