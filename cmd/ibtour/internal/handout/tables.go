package handout

import (
	"fmt"
	"slices"
	"strings"

	"ibtour/steps"
	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

// changes writes what a step changed. Of an object that is gone only the name
// is told.
func (d *Document) changes(list []steps.Change) {
	if len(list) == 0 {
		return
	}
	if !slices.ContainsFunc(list, func(c steps.Change) bool { return c.From != "" }) {
		d.newFacts(list)
		return
	}
	var lost []string
	var rows strings.Builder
	for _, c := range list {
		if c.To == "" {
			if name := code(c.Object()); !slices.Contains(lost, name) {
				lost = append(lost, name)
			}
			continue
		}
		fmt.Fprintf(&rows, "| %s | %s | %s |\n", code(c.Name), code(c.From), code(c.To))
	}
	t := d.text
	if rows.Len() > 0 {
		d.write("| %s | %s | %s |\n|---|---|---|\n%s", t.fact, t.before, t.after, rows.String())
	}
	if len(lost) > 0 {
		d.write("%s", fmt.Sprintf(t.gone, strings.Join(lost, t.comma)))
	}
}

// newFacts writes what a step made: there was nothing before.
func (d *Document) newFacts(list []steps.Change) {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |\n|---|---|\n", d.text.made, d.text.value)
	for _, c := range list {
		fmt.Fprintf(&b, "| %s | %s |\n", code(c.Name), code(c.To))
	}
	d.body.WriteString(b.String() + "\n")
}

// packets writes the packets that left a sender during a step.
func (d *Document) packets(s *Stop) {
	if len(s.Packets) == 0 {
		return
	}
	t := d.text
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s | %s | PSN | %s | |\n|---|---|---|---|---:|---|\n", t.packet, t.to, t.opcode, t.payload)
	for i, p := range s.Packets {
		b.WriteString(d.packetRow(i+1, p))
	}
	d.body.WriteString(b.String() + "\n")
	if s.More > 0 {
		d.write("%s", fmt.Sprintf(t.morePackets, s.More))
	}
}

func (d *Document) packetRow(n int, p trace.Packet) string {
	pkt, err := wire.Parse(p.Data)
	if err != nil {
		return fmt.Sprintf("| %d | | | | %d | %s |\n", n, len(p.Data), cellText(escape(err.Error())))
	}
	var notes []string
	if pkt.AckReq {
		notes = append(notes, d.text.ackReq)
	}
	if pkt.Opcode.Headers()&wire.HasAETH != 0 {
		notes = append(notes, fmt.Sprintf("%v, MSN %d", pkt.AETH.Syndrome, pkt.AETH.MSN))
	}
	if p.Note != "" {
		notes = append(notes, p.Note)
	}
	payload := ""
	if len(pkt.Payload) > 0 {
		payload = fmt.Sprint(len(pkt.Payload))
	}
	return fmt.Sprintf("| %d | QP %v | %s | %s | %s | %s |\n", n, pkt.DestQP, code(fmt.Sprint(pkt.Opcode)),
		code(fmt.Sprint(pkt.PSN)), payload, cellText(escape(strings.Join(notes, "; "))))
}

// code is a value as inline code in a cell of a table.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + cellText(s) + "`"
}

// cellText is a text that does not end the cell it stands in.
func cellText(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}

// escape makes a text of the run mean itself in Markdown.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", "&", "&amp;").Replace(s)
}

// plainHeading is a heading as the text of a link.
func plainHeading(s string) string { return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(s) }
