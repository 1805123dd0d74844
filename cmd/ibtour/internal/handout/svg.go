package handout

import (
	"fmt"
	"strings"
)

// The picture of a queue pair: boxes of one size on a grid.
const (
	boxWidth  = 84
	boxHeight = 34
	boxStep   = 126
	boxLeft   = 4
	rowTop    = 4
	errTop    = 84
	svgWidth  = boxLeft*2 + boxStep*4 + boxWidth
	svgHeight = errTop + boxHeight + 4
)

// SVG draws the same as Drawing as a picture. Its colours are those of the page
// it stands in: the classes are in style.css.
func SVG(from, to string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="qp" viewBox="0 0 %d %d" role="img" aria-label="%s → %s">`, svgWidth, svgHeight, from, to)
	mid := rowTop + boxHeight/2
	names := append(append([]string{}, row...), "SQD")
	for i := 1; i < len(names); i++ {
		class := ""
		if names[i-1] == from && names[i] == to {
			class = "move"
		}
		x1, x2 := boxX(i-1)+boxWidth, boxX(i)
		arrow(&b, class, x1, mid, x2, mid)
		if names[i] == "SQD" {
			arrow(&b, "", x2, mid, x1, mid)
		}
	}
	errX, errMid := boxX(3), errTop+boxHeight/2
	arrow(&b, "", errX+boxWidth/2, rowTop+boxHeight, errX+boxWidth/2, errTop)
	line(&b, "", errX, errMid, boxX(0)+boxWidth/2, errMid)
	arrow(&b, "", boxX(0)+boxWidth/2, errMid, boxX(0)+boxWidth/2, rowTop+boxHeight)
	for i, n := range names {
		box(&b, classOf(n, from, to), boxX(i), rowTop, n)
	}
	box(&b, classOf("ERR", from, to), errX, errTop, "ERR")
	b.WriteString("</svg>\n")
	return b.String()
}

func boxX(i int) int { return boxLeft + i*boxStep }

func classOf(name, from, to string) string {
	switch name {
	case to:
		return "now"
	case from:
		return "was"
	}
	return ""
}

func box(b *strings.Builder, class string, x, y int, name string) {
	fmt.Fprintf(b, `<g class="%s"><rect x="%d" y="%d" width="%d" height="%d" rx="6"/><text x="%d" y="%d">%s</text></g>`,
		class, x, y, boxWidth, boxHeight, x+boxWidth/2, y+boxHeight/2+5, name)
}

func line(b *strings.Builder, class string, x1, y1, x2, y2 int) {
	fmt.Fprintf(b, `<line class="%s" x1="%d" y1="%d" x2="%d" y2="%d"/>`, class, x1, y1, x2, y2)
}

// arrow draws a line with a head; it goes along one axis.
func arrow(b *strings.Builder, class string, x1, y1, x2, y2 int) {
	const long, wide = 9, 5
	line(b, class, x1, y1, x2, y2)
	dx, dy := sign(x2-x1), sign(y2-y1)
	bx, by := x2-dx*long, y2-dy*long
	fmt.Fprintf(b, `<polygon class="%s" points="%d,%d %d,%d %d,%d"/>`,
		class, x2, y2, bx+dy*wide, by+dx*wide, bx-dy*wide, by-dx*wide)
}

func sign(n int) int { return min(max(n, -1), 1) }
