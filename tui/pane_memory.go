package tui

import (
	"fmt"
	"os"
	"strings"

	"ibtour/steps"
	"ibtour/verbs/kernel"
)

// memory draws what shows that pages are pinned, and the buffers byte by byte.
func (v *view) memory(w, h int) sheet {
	head := written(v.pinning(w))
	roles := v.model.roles
	switch {
	case len(roles) == 1:
		return head.below(v.endMemory(roles[0], w))
	case w >= 2*leastSide+gutter:
		half := (w - gutter) / 2
		return head.below(v.endMemory(roles[0], half).beside(v.endMemory(roles[1], half), half))
	}
	first, second := v.endMemory(roles[0], w), v.endMemory(roles[1], w)
	if head.n+first.n+second.n >= h && len(v.visit.roles) == 1 && v.visit.roles[0] == roles[1] {
		first, second = second, first
	}
	return head.below(first).below(written([]string{""})).below(second)
}

// pinning says what the kernel counts, and what it records of the regions; of
// an embedded device, what that counts itself.
func (v *view) pinning(w int) []string {
	if v.now == nil {
		return nil
	}
	var out []string
	if p := v.now.Process; p != nil {
		text := "VmPin " + v.mark("process.pinned_bytes", fmt.Sprint(p.Pinned)) + " B · VmLck " + fmt.Sprint(p.Locked) + " B"
		out = append(out, wrap("  "+text+"  "+v.s.soft.of(v.t.memByKernel), w, 4)...)
	} else {
		out = append(out, v.wrapped(v.s.soft, "  "+v.t.memNoProc, w)...)
	}
	if n := v.now.Booked; n != nil {
		out = append(out, wrap("  soft0 "+fmt.Sprint(*n)+" B  "+v.s.soft.of(v.t.memBySoft), w, 4)...)
	}
	if k := v.now.Kernel; k != nil {
		for i := range k.MRs {
			out = append(out, wrap("  "+v.kernelMR(&k.MRs[i]), w, 4)...)
		}
	}
	return append(out, "")
}

// kernelMR is the kernel's record of a region. The keys say whose it is; who
// may not see them sees the length only.
func (v *view) kernelMR(mr *kernel.MR) string {
	text := fmt.Sprintf("mrn %d  %d B", mr.MRN, mr.Len)
	if mr.LKey == nil {
		return text + "  " + v.s.soft.of(v.t.memKeysHidden)
	}
	text += v.s.soft.of("  lkey ") + mr.LKey.String()
	for i := range v.now.Ends {
		if e := &v.now.Ends[i]; e.MR != nil && e.MR.LKey == *mr.LKey {
			return text + "  " + v.s.soft.of(v.t.memRecordOf+v.t.roles[e.Role])
		}
	}
	return text + "  " + v.s.soft.of(v.t.memRecordNone)
}

func (v *view) endMemory(r steps.Role, w int) sheet {
	e := endOf(v.now, r)
	if e == nil || e.Buffer == nil {
		return written([]string{v.endTitle(r), "    " + v.s.soft.of(v.t.memNone)})
	}
	var old *steps.Memory
	if o := endOf(v.before, r); o != nil && o.Buffer != nil {
		old = o.Buffer.Memory
	}
	d := v.model.dumpOf(e.Buffer.Memory, old, bytesPerRow(w, e.Buffer.Len))
	head := append([]string{v.endTitle(r)}, v.region(e, w)...)
	head = append(head, "    "+v.difference(d), "")
	rows := sheet{n: d.lines, marks: d.marks, line: func(i int) string { return v.dumpLine(d, i, w) }}
	return written(head).below(rows)
}

// region says where the buffer is, how long, in how many pages, and under
// which keys the device may reach it.
func (v *view) region(e *steps.EndState, w int) []string {
	b, page := e.Buffer, uint64(os.Getpagesize())
	pages := (uint64(b.Len) + page - 1) / page
	where := fmt.Sprintf("0x%x … 0x%x", b.Addr, b.Addr+uint64(b.Len)) + v.s.soft.of(fmt.Sprintf("  %d B", b.Len))
	out := wrap("    "+where, w, 4)
	if e.MR == nil {
		return append(out, "    "+v.s.soft.of("□ "+v.t.memNotPinned))
	}
	how := v.t.memPinned
	if v.now.Booked != nil {
		how = v.t.memCounted
	}
	out = append(out, wrap("    "+v.s.now.of("▣ ")+how+v.s.soft.of("  "+fmt.Sprintf(v.t.memPages, pages, page)), w, 6)...)
	return append(out, "      "+v.s.soft.of("lkey ")+e.MR.LKey.String()+v.s.soft.of("  rkey ")+e.MR.RKey.String())
}

// difference says what changed, or how much is not as it was filled.
func (v *view) difference(d *dump) string {
	switch {
	case d.changed == 0 && d.now.Changed() == 0:
		return v.s.soft.of(v.t.memFilled)
	case d.changed == 0:
		return v.s.soft.of(fmt.Sprintf(v.t.memSame, d.now.Changed()))
	}
	text := v.t.memChanged
	if !v.m.after {
		text = v.t.memMeanwhile
	}
	return v.s.changed.of(fmt.Sprintf(text, d.changed, d.first, d.last))
}

// The parts of a row: indent, offset, and a byte in hexadecimal.
const (
	dumpIndent = 2
	hexByte    = 3
)

// offsetDigits is how many digits the offsets of a buffer have.
func offsetDigits(size int) int { return max(3, len(fmt.Sprintf("%x", max(size-1, 0)))) }

// dumpWidth is how wide a row is; with the characters, or without.
func dumpWidth(per, size int, characters bool) int {
	w := dumpIndent + 1 + offsetDigits(size) + 1 + per*hexByte
	if characters {
		w += 1 + per
	}
	return w
}

// bytesPerRow is how many bytes a row of w cells holds.
func bytesPerRow(w, size int) int {
	if w >= dumpWidth(16, size, true) {
		return 16
	}
	return 8
}

// dumpLine writes a line of a dump. Bytes that changed are in colour.
func (v *view) dumpLine(d *dump, line, w int) string {
	row, folded := d.at(line)
	now, old := d.bytes(row)
	offset := v.s.soft.of(fmt.Sprintf("%*s+%0*x ", dumpIndent, "", offsetDigits(d.now.Len()), row*d.per))
	if folded > 0 {
		pen := v.s.soft
		if old != nil && string(now) != string(old) {
			pen = v.s.changed
		}
		return offset + pen.of(fmt.Sprintf("* "+v.t.memFolded, folded))
	}
	var hex, text strings.Builder
	for i, c := range now {
		pen := v.s.text
		if old != nil && old[i] != c {
			pen = v.s.changed
		}
		hex.WriteString(pen.of(fmt.Sprintf("%02x", c)) + " ")
		text.WriteString(pen.of(printable(c)))
	}
	if w < dumpWidth(d.per, d.now.Len(), true) {
		return offset + hex.String()
	}
	return offset + hex.String() + strings.Repeat(" ", (d.per-len(now))*hexByte+1) + text.String()
}

func printable(c byte) string {
	if c < 0x20 || c > 0x7e {
		return "·"
	}
	return string(rune(c))
}
