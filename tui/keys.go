package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
)

// keyText says what each key does, in one language.
type keyText struct {
	next, back, present, into, out, result, end, goTo, breakAt   string
	panel, nextPane, prevPane, up, down, pageUp, pageDown        string
	top, bottom, source, open, change, search, help, lang, theme string
	zoom                                                         string
	presenter, retry, options, quit, leave, suspend, close       string
	groups                                                       [4]string
}

// keyMap is every key of the tour. The footer, the help and docs/keys.md are
// made from it.
type keyMap struct {
	Next, Back, Present, Into, Out, Result, End, GoTo, Break  key.Binding
	Panel, NextPane, PrevPane, Up, Down                       key.Binding
	PageUp, PageDown, Top, Bottom, Source, Open, Change, Zoom key.Binding
	Search, Help, Lang, Theme, Presenter, Retry, Options      key.Binding
	Quit, Leave, Suspend, Close                               key.Binding

	groups [4]string
}

func bind(shown, help string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help))
}

func newKeyMap(t *keyText) *keyMap {
	return &keyMap{
		Next:    bind("space", t.next, " ", "enter", "right", "n"),
		Back:    bind("←", t.back, "left", "p", "backspace"),
		Present: bind(".", t.present, "."),
		Into:    bind("i", t.into, "i"),
		Out:     bind("u", t.out, "u"),
		Result:  bind("r", t.result, "r"),
		End:     bind("e", t.end, "e"),
		GoTo:    bind("g", t.goTo, "g"),
		Break:   bind("b", t.breakAt, "b"),

		Panel:    bind("0-9", t.panel, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		NextPane: bind("tab", t.nextPane, "tab"),
		PrevPane: bind("shift+tab", t.prevPane, "shift+tab"),
		Up:       bind("↑ k", t.up, "up", "k"),
		Down:     bind("↓ j", t.down, "down", "j"),
		PageUp:   bind("pgup", t.pageUp, "pgup", "ctrl+b"),
		PageDown: bind("pgdn", t.pageDown, "pgdown", "ctrl+f"),
		Top:      bind("home", t.top, "home"),
		Bottom:   bind("end", t.bottom, "end"),
		Source:   bind("s", t.source, "s"),
		Open:     bind("o", t.open, "o"),
		Change:   bind("c", t.change, "c"),
		Zoom:     bind("z", t.zoom, "z"),

		Search:    bind("/", t.search, "/"),
		Help:      bind("?", t.help, "?", "h", "f1"),
		Lang:      bind("L", t.lang, "L"),
		Theme:     bind("t", t.theme, "t"),
		Presenter: bind("+", t.presenter, "+", "="),
		Close:     bind("esc", t.close, "esc"),

		Retry:   bind("R", t.retry, "R"),
		Options: bind("O", t.options, "O"),
		Quit:    bind("q", t.quit, "q"),
		Leave:   bind("ctrl+c", t.leave, "ctrl+c"),
		Suspend: bind("ctrl+z", t.suspend, "ctrl+z"),

		groups: t.groups,
	}
}

// group is a part of the key list.
type group struct {
	title string
	keys  []key.Binding
}

// all returns every key, in groups.
func (k *keyMap) all() []group {
	return []group{
		{k.groups[0], []key.Binding{k.Next, k.Back, k.Present, k.Into, k.Out, k.Result, k.End, k.GoTo, k.Break}},
		{k.groups[1], []key.Binding{
			k.Panel, k.NextPane, k.PrevPane, k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.Source, k.Open, k.Change, k.Zoom,
		}},
		{k.groups[2], []key.Binding{k.Search, k.Help, k.Lang, k.Theme, k.Presenter, k.Close}},
		{k.groups[3], []key.Binding{k.Retry, k.Options, k.Quit, k.Leave, k.Suspend}},
	}
}

// footer returns the keys that the bottom line names, the most needed first.
func (k *keyMap) footer(entered bool) []key.Binding {
	way := k.Into
	if entered {
		way = k.Out
	}
	return []key.Binding{
		k.Next, k.Back, way, k.Help, k.Quit, k.Panel, k.Result, k.Source, k.Search, k.Lang, k.Zoom, k.Presenter,
	}
}

// Keys returns the key list as Markdown, in one language.
func Keys(lang string) string {
	t, ok := texts[lang]
	if !ok {
		t = &english
	}
	var b strings.Builder
	for _, g := range newKeyMap(&t.keys).all() {
		fmt.Fprintf(&b, "\n## %s\n\n| | |\n|---|---|\n", g.title)
		for _, k := range g.keys {
			fmt.Fprintf(&b, "| %s | %s |\n", spelled(k), k.Help().Desc)
		}
	}
	return b.String()
}

// spelled lists all keys of a binding.
func spelled(k key.Binding) string {
	names := map[string]string{" ": "space", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}
	var out []string
	for _, s := range k.Keys() {
		if n, ok := names[s]; ok {
			s = n
		}
		out = append(out, "`"+s+"`")
	}
	if len(out) == 10 {
		return "`0` … `9`"
	}
	return strings.Join(out, " ")
}
