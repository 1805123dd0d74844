package wire

import (
	"encoding/binary"
	"fmt"
)

// Field is one field of a packet, ready to be shown.
type Field struct {
	Header  string // BTH, RETH, ..., Payload, Pad, ICRC
	Name    string
	Bit     int    // first bit, counted from the start of the BTH
	Bits    int    // width
	Bytes   []byte // the whole bytes the field has a part in
	Value   string // 0x00abcd, 1, 13 bytes
	Meaning string // in short English; empty where the value says it all
	Section string // of the InfiniBand Architecture Specification, volume 1
}

// Offset returns the first byte of the field, counted from the start of the BTH.
func (f Field) Offset() int { return f.Bit / 8 }

// Len returns how many bytes the field has a part in.
func (f Field) Len() int { return (f.Bit+f.Bits+7)/8 - f.Offset() }

// spec describes a field of a header: what Field holds, less the packet.
type spec struct {
	name    string
	bits    int
	format  string // of the value, for fmt
	section string
	meaning func(p *Packet, v uint64) string
}

// fields collects the fields of one packet.
type fields struct {
	p   *Packet
	b   []byte // the encoded packet
	bit int    // next bit to describe
	out []Field
}

// Fields describes the packet field by field in the order of the wire. It
// encodes the packet first, so Bytes are those Append writes.
func (p *Packet) Fields() []Field { return describe(p, p.Append(make([]byte, 0, p.Len()))) }

// Describe parses and describes a UDP payload. Of a packet Parse refuses it
// gives the fields of the BTH, if there is a whole one, beside the error.
func Describe(b []byte) ([]Field, error) {
	p, err := Parse(b)
	if err == nil {
		return describe(&p, b), nil
	}
	if len(b) < BTHLen {
		return nil, err
	}
	f := fields{p: &p, b: b}
	f.header("BTH", bthSpecs)
	return f.out, err
}

// describe describes p, whose encoding is b.
func describe(p *Packet, b []byte) []Field {
	f := fields{p: p, b: b}
	f.header("BTH", bthSpecs)
	for i, h := range extendedSpecs {
		if p.Opcode.Headers().Has(1 << i) {
			f.header(h.name, h.specs)
		}
	}
	if n := len(p.Payload); n > 0 {
		f.bytes("Payload", n, fmt.Sprintf("%d bytes", n), payloadMeaning(p), "9.4")
	}
	if n := padLen(len(p.Payload)); n > 0 {
		f.bytes("Pad", n, fmt.Sprintf("%d bytes", n), "fills the payload up to a multiple of 4 bytes", "9.2")
	}
	f.bytes("ICRC", ICRCLen, p.ICRC.String(), "CRC-32 over all that routers leave alone", "7.8.1")
	return f.out
}

// header adds the fields of one header.
func (f *fields) header(name string, specs []spec) {
	for _, s := range specs {
		v := extract(f.b, f.bit, s.bits)
		field := Field{
			Header: name, Name: s.name, Bit: f.bit, Bits: s.bits,
			Value: fmt.Sprintf(s.format, v), Section: s.section,
		}
		if s.meaning != nil {
			field.Meaning = s.meaning(f.p, v)
		}
		f.add(field)
	}
}

// bytes adds n bytes that are no header.
func (f *fields) bytes(name string, n int, value, meaning, section string) {
	f.add(Field{
		Header: name, Name: name, Bit: f.bit, Bits: 8 * n,
		Value: value, Meaning: meaning, Section: section,
	})
}

// add appends a field and moves on behind it.
func (f *fields) add(field Field) {
	field.Bytes = f.b[field.Offset() : field.Offset()+field.Len()]
	f.bit += field.Bits
	f.out = append(f.out, field)
}

// extract returns a big-endian field of up to 64 bits. A field of more than
// seven bytes starts on a byte.
func extract(b []byte, bit, bits int) uint64 {
	first, end := bit/8, (bit+bits+7)/8
	var w [8]byte
	copy(w[8-(end-first):], b[first:end])
	v := binary.BigEndian.Uint64(w[:]) >> (8*end - bit - bits)
	return v & (1<<bits - 1)
}
