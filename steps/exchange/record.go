package exchange

import (
	"encoding/hex"
	"fmt"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// The messages of ibv_rc_pingpong. It takes each with one read that must
// return exactly this many bytes.
const (
	// Port is the default TCP port. The perftest programs use it too.
	Port = 18515
	// RecordLen is the length of an address record: 51 characters and a NUL.
	RecordLen = 52
	// DoneLen is the length of the client's closing message, "done" and a NUL.
	DoneLen = 5
)

// done is the client's last message: it has the server's address.
const done = "done\x00"

// Address is what one end must know of the other's queue pair to connect to
// it. On Ethernet the LID is 0 and the GID does the work; on InfiniBand in
// one subnet the LID does and the GID may be zero.
type Address struct {
	LID verbs.LID
	QPN verbs.QPN
	PSN verbs.PSN // the first the peer will send, for rq_psn
	GID verbs.GID
}

// String returns the text of the record, "0000:000011:abc123:0000…0201": LID,
// QPN, PSN and GID in hexadecimal, 51 characters.
func (a Address) String() string {
	return fmt.Sprintf("%04x:%06x:%06x:%s", uint16(a.LID), uint32(a.QPN)&wire.PSNMask,
		uint32(a.PSN)&wire.PSNMask, hex.EncodeToString(a.GID[:]))
}

// Append appends the 52 bytes of the record to b. Of QPN and PSN the 24 bits
// that exist are sent, so that the length cannot change.
func (a Address) Append(b []byte) []byte { return append(append(b, a.String()...), 0) }

// ParseAddress reads the record at the start of b. It takes what the original
// writes, and what its scanf takes of near relatives: upper case, numbers
// without leading zeros or padded with blanks, a blank or line end for the NUL
// and anything behind that. It refuses what the original would turn into a
// wrong address without a word.
//
// The error is a *RecordError: ErrShort if b is the beginning of a record,
// which more bytes may complete, otherwise the first byte that is wrong.
func ParseAddress(b []byte) (Address, error) {
	p := parser{b: b[:min(len(b), RecordLen)], got: b}
	var a Address
	a.LID = verbs.LID(p.number("LID", 16))
	a.QPN = verbs.QPN(p.number("QPN", 24))
	a.PSN = verbs.PSN(p.number("PSN", 24))
	p.gid(&a.GID)
	if p.err == nil && len(b) < RecordLen {
		p.pos = len(b)
		p.fail(ErrShort, "GID")
	}
	if p.err == nil && reserved(a.QPN) {
		p.pos = p.qpnAt
		p.fail(ErrReserved, "QPN")
	}
	if p.err != nil {
		return Address{}, p.err
	}
	return a, nil
}

// reserved reports whether no RC queue pair can have this number: 0 and 1 are
// the management queue pairs QP0 and QP1, 0xffffff means multicast.
func reserved(q verbs.QPN) bool { return q <= 1 || q == wire.PSNMask }
