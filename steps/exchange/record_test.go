package exchange

import (
	"errors"
	"strings"
	"testing"
)

func TestRecordGolden(t *testing.T) {
	got := ours.Append([]byte("x"))
	if string(got) != "x"+goldenRecord || len(goldenRecord) != RecordLen {
		t.Errorf("Append = %q", got)
	}
	if a, err := ParseAddress([]byte(goldenRecord)); err != nil || a != ours {
		t.Errorf("ParseAddress = %v, %v", a, err)
	}
	if len(done) != DoneLen {
		t.Errorf("done is %d bytes", len(done))
	}
}

// Numbers of more than 24 bits cannot exist; they must not shift the record.
func TestRecordLength(t *testing.T) {
	a := Address{LID: 0xffff, QPN: 0xffffffff, PSN: 0xff000001}
	if got := string(a.Append(nil)); got != "ffff:ffffff:000001:"+strings.Repeat("0", 32)+"\x00" {
		t.Errorf("Append = %q", got)
	}
}

const gid32 = "00000000000000000000ffffc0000201"

func TestParseAddressAccepts(t *testing.T) {
	pad := func(s string) string { return s + strings.Repeat("\xaa", RecordLen-len(s)) }
	for name, in := range map[string]string{
		"upper case":         strings.ToUpper(goldenRecord),
		"no leading zeros":   pad("0:11:abc123:" + gid32 + "\x00"),
		"blanks for zeros":   "   0:    11:abc123:" + gid32 + "\x00",
		"line end for NUL":   goldenRecord[:51] + "\n",
		"more bytes behind":  goldenRecord + done,
		"blank before GID":   pad("0:11:abc123: " + gid32 + "\x00"),
		"surplus zeros":      pad("00000:011:abc123:" + gid32 + " "),
		"garbage behind NUL": pad("0:11:abc123:" + gid32 + "\x00::"),
	} {
		if a, err := ParseAddress([]byte(in)); err != nil || a != ours {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for _, tt := range []struct {
		in     string
		reason Reason
		field  string
		offset int
	}{
		{"", ErrShort, "LID", 0},
		{"0000:00", ErrShort, "QPN", 7},
		{goldenRecord[:51], ErrShort, "GID", 51},
		{"0:11:abc123:" + gid32 + "\x00", ErrShort, "GID", 45},
		{"GET / HTTP/1.1\r\n", ErrDigit, "LID", 0},
		{"6.06\x00\x00\x00", ErrDigit, "LID", 1},
		{":000011:", ErrDigit, "LID", 0},
		{"10000:", ErrRange, "LID", 4},
		{"0000:1000000:", ErrRange, "QPN", 11},
		{"0000:000011:1abc123:", ErrRange, "PSN", 18},
		{"0000:000011:abc123:00000000000000000000ffffc000020:", ErrDigit, "GID", 50},
		{goldenRecord[:51] + "1", ErrEnd, "GID", 51},
		{strings.Replace(goldenRecord, "000011", "000001", 1), ErrReserved, "QPN", 5},
		{strings.Replace(goldenRecord, "000011", "ffffff", 1), ErrReserved, "QPN", 5},
	} {
		a, err := ParseAddress([]byte(tt.in))
		var re *RecordError
		if !errors.As(err, &re) || !errors.Is(err, tt.reason) || re.Field != tt.field || re.Offset != tt.offset || a != (Address{}) {
			t.Errorf("%q: %v, %v; want %v in %s at %d", tt.in, a, err, tt.reason, tt.field, tt.offset)
		}
	}
	_, err := ParseAddress([]byte("6.06\x00"))
	if want := `byte 1 of the address record (LID): a hexadecimal digit is wanted; received "6.06\x00"`; err.Error() != want {
		t.Errorf("text = %s", err)
	}
}

func FuzzParseAddress(f *testing.F) {
	f.Add([]byte(goldenRecord))
	f.Add(his.Append(nil))
	f.Add([]byte("0:11:abc123: " + gid32 + "\x00\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte("6.06\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := ParseAddress(b)
		if err != nil {
			var re *RecordError
			if !errors.As(err, &re) || re.Offset > min(len(b), RecordLen) || a != (Address{}) {
				t.Fatalf("%q: %v, %v", b, a, err)
			}
			if errors.Is(err, ErrShort) && len(b) >= RecordLen && re.Offset != RecordLen {
				t.Fatalf("%q: a whole record is too short: %v", b, err)
			}
			return
		}
		if len(b) < RecordLen {
			t.Fatalf("%q: accepted", b)
		}
		out := a.Append(nil)
		if again, err := ParseAddress(out); err != nil || again != a || len(out) != RecordLen {
			t.Fatalf("%q: %v, then %q: %v, %v", b, a, out, again, err)
		}
		// A piece of a record must never be taken for garbage.
		for n := range RecordLen {
			if _, err := ParseAddress(b[:n]); !errors.Is(err, ErrShort) {
				t.Fatalf("%q: %v", b[:n], err)
			}
		}
	})
}
