package tui

import (
	"fmt"
	"strings"

	"ibtour/steps"
)

// memory draws the buffers byte by byte.
func (v *view) memory(w, h int) []string { return v.perEnd(w, h, v.endMemory) }

func (v *view) endMemory(r steps.Role, w int) []string {
	e := endOf(v.now, r)
	out := []string{v.endTitle(r)}
	if e == nil || e.Buffer == nil {
		return append(out, "    "+v.s.soft.of(v.t.memNone))
	}
	b := e.Buffer
	var old []byte
	if o := endOf(v.before, r); o != nil && o.Buffer != nil {
		old = o.Buffer.Head
	}
	out = append(out, fmt.Sprintf("    0x%x … 0x%x", b.Addr, b.Addr+uint64(b.Len)))
	if e.MR != nil {
		out = append(out, "    "+v.s.now.of("▣ ")+v.t.memPinned, "      "+v.s.soft.of("lkey ")+e.MR.LKey.String()+v.s.soft.of("  rkey ")+e.MR.RKey.String())
	} else {
		out = append(out, "    "+v.s.soft.of("□ "+v.t.memNotPinned))
	}
	out = append(out, "    "+v.s.soft.of(fmt.Sprintf(v.t.memFill, b.Changed, b.Len)))
	out = append(out, "")
	dump, changed := v.dump(b, old, w)
	out = append(out, dump...)
	if changed > 0 {
		return append(out, "    "+v.s.changed.of(fmt.Sprintf(v.t.memChanged, changed)))
	}
	return append(out, "    "+v.s.soft.of(fmt.Sprintf(v.t.memFirst, len(b.Head))+": "+v.t.memSame))
}

// dump writes bytes in rows of 16 or 8, those that differ from old in colour.
func (v *view) dump(b *steps.BufferState, old []byte, w int) (lines []string, changed int) {
	per := 16
	if w < 4+6+16*3+1+16 {
		per = 8
	}
	for at := 0; at < len(b.Head); at += per {
		var hex, text strings.Builder
		row := b.Head[at:min(at+per, len(b.Head))]
		for i, c := range row {
			pen := v.s.text
			if v.m.after && at+i < len(old) && old[at+i] != c {
				pen = v.s.changed
				changed++
			}
			hex.WriteString(pen.of(fmt.Sprintf("%02x", c)) + " ")
			text.WriteString(pen.of(printable(c)))
		}
		lines = append(lines, "    "+v.s.soft.of(fmt.Sprintf("+%03x ", at))+hex.String()+" "+text.String())
	}
	return lines, changed
}

func printable(c byte) string {
	if c < 0x20 || c > 0x7e {
		return "·"
	}
	return string(rune(c))
}
