package tui

import (
	"bytes"
	"sort"

	"ibtour/steps"
)

// dump is the plan of a buffer written in hexadecimal: which rows stand on
// which line, and where bytes changed. Rows that are as the one before, and
// changed alike, are folded into one line. What is written is made from it row
// by row, so a buffer of any size costs a screen of rows.
type dump struct {
	now, old *steps.Memory // old is nil where there is nothing to compare with
	per      int           // bytes of a row: a page is whole rows
	runs     []rowRun
	lines    int
	changed  int // bytes
	first    int // offset of the first changed byte, and of the last one
	last     int
	marks    []int // lines where changed rows begin
}

// rowRun is some rows that follow each other: each on a line of its own, or all
// folded into one.
type rowRun struct {
	row, rows, line int
	folded          bool
}

// foldLeast is how many equal rows are folded: a single one takes no more room
// than the line that would stand for it.
const foldLeast = 2

// newDump plans a dump.
func newDump(now, old *steps.Memory, per int) *dump {
	if old != nil && old.Len() != now.Len() {
		old = nil
	}
	d := &dump{now: now, old: old, per: per}
	s := scan{dump: d}
	for at := 0; at < now.Len(); at += now.PageLen() {
		s.page(at)
	}
	s.unfold()
	return d
}

// scan goes through the rows of a dump.
type scan struct {
	*dump
	row, was []byte // the row before, now and in the old content
	equal    int    // rows up to here that are as the one before them
	next     int    // the row to come
	marked   bool   // the row before had changes

	uniform  bool // the page before was one row, repeated
	perPage  int  // and this many of its bytes changed
	lastPage int  // where it began
}

// page takes the rows of a page in.
func (s *scan) page(at int) {
	n := min(s.now.PageLen(), s.now.Len()-at)
	if s.uniform && n == s.now.PageLen() && s.samePage(at, s.lastPage) {
		s.again(at, n)
		return
	}
	page, old := s.now.Bytes(at, n), []byte(nil)
	if s.old != nil {
		old = s.old.Bytes(at, n)
	}
	before, changed, rows := s.equal, s.changed, n/s.per
	for i := 0; i < n; i += s.per {
		end := min(i+s.per, n)
		var was []byte
		if old != nil {
			was = old[i:end]
		}
		s.take(at+i, page[i:end], was)
	}
	s.uniform = s.equal == before+rows || s.equal == rows-1
	s.perPage, s.lastPage = s.changed-changed, at
}

func (s *scan) samePage(a, b int) bool {
	i, j := a/s.now.PageLen(), b/s.now.PageLen()
	return s.now.SamePage(i, s.now, j) && (s.old == nil || s.old.SamePage(i, s.old, j))
}

// again takes in a page that is as the one before, which was one row repeated.
func (s *scan) again(at, n int) {
	s.equal += n / s.per
	s.next += n / s.per
	s.changed += s.perPage
	if s.perPage > 0 {
		s.last += at - s.lastPage
	}
	s.lastPage = at
}

// take takes a row in.
func (s *scan) take(at int, row, was []byte) {
	changed := 0
	for i := range was {
		if row[i] != was[i] {
			if s.changed == 0 && changed == 0 {
				s.first = at + i
			}
			s.last = at + i
			changed++
		}
	}
	s.changed += changed
	if s.next > 0 && bytes.Equal(row, s.row) && bytes.Equal(was, s.was) {
		s.equal++
	} else {
		s.unfold()
		s.show(s.next, 1)
		if changed > 0 && !s.marked {
			s.marks = append(s.marks, s.lines-1)
		}
		s.marked = changed > 0
	}
	s.row, s.was = row, was
	s.next++
}

// unfold ends the rows that are as the one before: they become a line.
func (s *scan) unfold() {
	switch n := s.equal; {
	case n >= foldLeast:
		s.runs = append(s.runs, rowRun{row: s.next - n, rows: n, line: s.lines, folded: true})
		s.lines++
	case n > 0:
		s.show(s.next-n, n)
	}
	s.equal = 0
}

// show gives rows a line each.
func (s *scan) show(row, n int) {
	if i := len(s.runs) - 1; i >= 0 && !s.runs[i].folded {
		s.runs[i].rows += n
	} else {
		s.runs = append(s.runs, rowRun{row: row, rows: n, line: s.lines})
	}
	s.lines += n
}

// at returns the row of a line, and how many are folded into it; 0 for a row
// that is written.
func (d *dump) at(line int) (row, folded int) {
	i := sort.Search(len(d.runs), func(i int) bool { return d.runs[i].line > line }) - 1
	r := d.runs[i]
	if r.folded {
		return r.row, r.rows
	}
	return r.row + line - r.line, 0
}

// bytes returns a row, and what it was.
func (d *dump) bytes(row int) (now, old []byte) {
	now = d.now.Bytes(row*d.per, d.per)
	if d.old != nil {
		old = d.old.Bytes(row*d.per, d.per)
	}
	return now, old
}

// dumpKey tells dumps apart.
type dumpKey struct {
	now, old *steps.Memory
	per      int
}

// mostDumps bounds how many plans are kept: two ends, looked at from either
// side of a step, in two widths.
const mostDumps = 8

// dumpOf returns the plan of a content beside an older one.
func (m *model) dumpOf(now, old *steps.Memory, per int) *dump {
	k := dumpKey{now, old, per}
	if d, ok := m.dumps[k]; ok {
		return d
	}
	if len(m.dumps) >= mostDumps || m.dumps == nil {
		m.dumps = map[dumpKey]*dump{}
	}
	d := newDump(now, old, per)
	m.dumps[k] = d
	return d
}
