package wire

import "encoding/binary"

// ICRCLen is the size of the invariant CRC at the end of a packet.
const ICRCLen = 4

// padAlign is what payload and pad together are a multiple of (IBTA vol. 1, 9.2).
const padAlign = 4

// Packet is the payload of one UDP datagram: BTH, extended headers, data and
// ICRC. Which of the extended headers count is decided by the opcode alone;
// the others are zero after Parse and ignored by Append.
type Packet struct {
	BTH
	RETH         RETH
	AtomicETH    AtomicETH
	AETH         AETH
	AtomicAckETH AtomicAckETH
	ImmDt        ImmDt
	IETH         IETH

	Payload []byte  // without pad; Parse lets it point into its argument
	Pad     [3]byte // the first PadCount of them count; zero by the specification
	ICRC    ICRC
}

// Parse reads a packet from the payload of a UDP datagram. It does not copy
// Payload, and does not judge payload size (CheckPayload) or ICRC
// (Envelope.Verify). A nil error guarantees that Append gives b again. Any other
// is a *ParseError; the packet then holds what could be read.
func Parse(b []byte) (p Packet, err error) {
	err = p.Parse(b)
	return p, err
}

// Parse is the function Parse with the packet in place: nothing is copied.
func (p *Packet) Parse(b []byte) error {
	*p = Packet{}
	if len(b) < BTHLen {
		return short("BTH", len(b), BTHLen)
	}
	p.parseBTH(b)
	if !p.Opcode.Known() {
		return &ParseError{Reason: ErrOpcode, Opcode: p.Opcode}
	}
	if p.TVer != 0 {
		return &ParseError{Reason: ErrVersion, Opcode: p.Opcode, Got: int(p.TVer)}
	}
	start := BTHLen + p.Opcode.Headers().Len()
	end := len(b) - ICRCLen // of the pad
	pad := int(p.PadCount)
	if end < start+pad {
		return &ParseError{Reason: ErrTruncated, Opcode: p.Opcode, Want: start + pad + ICRCLen, Got: len(b)}
	}
	if (end-start)%padAlign != 0 {
		return &ParseError{Reason: ErrPad, Opcode: p.Opcode, Got: end - start}
	}
	p.parseExtended(b[BTHLen:start])
	p.Payload = b[start : end-pad : end-pad]
	copy(p.Pad[:], b[end-pad:end])
	p.ICRC = ICRC(binary.LittleEndian.Uint32(b[end:]))
	return nil
}

// parseExtended reads the extended headers of the opcode.
// Precondition: b has exactly the length of them all, so no parser fails.
func (p *Packet) parseExtended(b []byte) {
	h := p.Opcode.Headers()
	if h.Has(HasRETH) {
		p.RETH, _ = ParseRETH(b)
		b = b[RETHLen:]
	}
	if h.Has(HasAtomicETH) {
		p.AtomicETH, _ = ParseAtomicETH(b)
		b = b[AtomicETHLen:]
	}
	if h.Has(HasAETH) {
		p.AETH, _ = ParseAETH(b)
		b = b[AETHLen:]
	}
	if h.Has(HasAtomicAckETH) {
		p.AtomicAckETH, _ = ParseAtomicAckETH(b)
		b = b[AtomicAckETHLen:]
	}
	if h.Has(HasImmDt) {
		p.ImmDt, _ = ParseImmDt(b)
		b = b[ImmDtLen:]
	}
	if h.Has(HasIETH) {
		p.IETH, _ = ParseIETH(b)
	}
}

// padLen returns the pad bytes behind n bytes of payload (IBTA vol. 1, 9.2).
func padLen(n int) int { return -n & (padAlign - 1) }

// Len returns the bytes Append writes, the ICRC included.
func (p *Packet) Len() int {
	n := len(p.Payload)
	return BTHLen + p.Opcode.Headers().Len() + n + padLen(n) + ICRCLen
}

// Append writes the packet behind b: the headers of its opcode, the payload,
// the pad this payload needs (PadCount is not read) and the ICRC as it stands
// in p. To send a packet, use Envelope.Seal, which computes the ICRC.
func (p *Packet) Append(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(p.appendCovered(b), uint32(p.ICRC))
}

// appendCovered writes the packet without its ICRC.
func (p *Packet) appendCovered(b []byte) []byte {
	pad := padLen(len(p.Payload))
	b = p.appendBTH(b, uint8(pad))
	h := p.Opcode.Headers()
	if h.Has(HasRETH) {
		b = p.RETH.Append(b)
	}
	if h.Has(HasAtomicETH) {
		b = p.AtomicETH.Append(b)
	}
	if h.Has(HasAETH) {
		b = p.AETH.Append(b)
	}
	if h.Has(HasAtomicAckETH) {
		b = p.AtomicAckETH.Append(b)
	}
	if h.Has(HasImmDt) {
		b = p.ImmDt.Append(b)
	}
	if h.Has(HasIETH) {
		b = p.IETH.Append(b)
	}
	b = append(b, p.Payload...)
	return append(b, p.Pad[:pad]...)
}
