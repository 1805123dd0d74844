package tui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ibtour/steps"
)

// injected is a panic on purpose.
const injected = "injected"

// panicking is Run with a panic in a place of ours.
func panicking(place string) func(context.Context, Config) error {
	return func(ctx context.Context, cfg Config) error {
		if place == "step" {
			cfg.Tour.Steps[4].Do = func(context.Context, *steps.End) error { panic(injected) }
		}
		m, err := newModel(ctx, cfg)
		if err != nil {
			return err
		}
		m.cfg.Devices = func() ([]Device, error) {
			if place == "command" {
				panic(injected)
			}
			return cfg.Devices()
		}
		m.cfg.Opened = func(func()) { m.send = sabotage(m, place, m.send) }
		return m.play(ctx)
	}
}

// sabotage returns the way of messages to the model, with a panic in a place
// when the run has two buffers.
func sabotage(m *model, place string, send func(tea.Msg)) func(tea.Msg) {
	return func(msg tea.Msg) {
		held, ok := msg.(heldMsg)
		events, happened := msg.(eventsMsg)
		switch {
		case ok && held.at.stop > 5 && place == "gate":
			panic(injected)
		case ok && held.at.stop > 5 && place == "Update":
			msg = eventsMsg{from: held.from, events: []steps.Event{{Kind: steps.Progressed}}} // of nothing
		case ok && held.at.stop > 5 && place == "View":
			m.styles = nil
		case happened && place == "pump" && slices.ContainsFunc(events.events, func(ev steps.Event) bool { return ev.Stop > 5 }):
			panic(injected)
		}
		send(msg)
	}
}
