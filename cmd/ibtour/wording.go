package main

import (
	"strings"

	"ibtour/annotations/words"
)

// wording holds what the program says in one language, besides the texts of
// steps and concepts. A missing field is an error of the linter.
type wording struct {
	root, tour, auto, walk, devices, explain, handout                    commandText
	man, helpShort, helpLong, completion, completionLong, noDescriptions string

	exitStatus string // what the exit status means
	options    optionText

	// The frame of help.
	usage, examples, commands, flags, more        string
	anyFlag, anyCommand                           string // in a line of usage
	bashPackage                                   string // that its completion needs
	helpFor, versionFor, byDefault, completionFor words.Format
	loadCompletion                                words.Format // once, and for good

	// A command line that cannot be meant.
	unknownFlag, unknownShort, needsValue, needsValueShort, badValue words.Format
	kinds                                                            map[string]string // what the value of an option is, by its type
	unknownCommand, optionsOf, noArguments, manyHosts                words.Format
	notKnown, or                                                     words.Format
	comma, semicolon                                                 string
	serverAndHost, negativeWait, noSuchStep, width                   words.Format
	handoutAlone, outputName, outputFolder, outputSpecial            words.Format
	captured, captureLeft, capturePaused                             words.Format
	notByAdapter, notInDevice, notPermitted, notCaptured             words.Format

	// The choice of a device.
	noUsable, none, noKernel, usingSoft, notUsable, noPort, noGID words.Format
	softDetail, noScreen                                          string
	noLID, lidUnset                                               string
	lid, rateUnknown                                              words.Format

	// ibtour devices.
	unusable, port, physically, mtus                   words.Format
	state, linkLayer, rate, pingPong, usable, wrongGID string

	// Runs.
	roles                                        map[string]string
	bothEnds, local, remote, roundTrips          string
	ofEnd, bytes, trips, spread                  words.Format
	repeated, note, stopping, measured           words.Format
	packet, morePackets, completed, failed, size words.Format
	askACK, also, done, prompt, left             string
	promptCall, promptNth                        words.Format
	notEntered                                   string
	kernelCall, mapped, unmapped, opened, closed words.Format
	kernelNone                                   string
	kernelLost                                   words.Format
	signal, stdout                               words.Format
}

// commandText is the help of a command.
type commandText struct{ short, long, example string }

// optionText has the descriptions of the options; the name of the value stands
// in `quotes`.
type optionText struct {
	server, port, device, ibPort, size, mtu, rxDepth, iters, sl, events, gid, check, wait, pcap, json string
	lang, at, theme, presenter, pause, brief, output, width                                           string
}

func wordingIn(lang string) *wording { return words.In(lang, &english, &chinese) }

// say returns the words for this run.
func (a *app) say() *wording { return wordingIn(a.lang) }

// spoken is an error with a text in the language of the reader.
type spoken struct {
	text string
	error
}

func (e *spoken) Error() string { return e.text }

func (e *spoken) Unwrap() error { return e.error }

// oneOf lists what an option can be, two values or more.
func (w *wording) oneOf(values ...string) string {
	last := len(values) - 1
	return w.or.With(strings.Join(values[:last], w.comma), values[last])
}
