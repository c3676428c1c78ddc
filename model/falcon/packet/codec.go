package packet

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Encode appends a packet as a sender creates it to dst: reserved bits zero, and octets of zero after the payload up to a
// multiple of 4, whose number replaces p.Pad. Numbers of 24 bits are truncated. It panics for a reserved opcode, which
// has no headers.
func (p Packet) Encode(dst []byte, order spec.BitOrder) []byte {
	row, known := p.Opcode.Operation()
	if !known {
		panic(fmt.Sprintf("packet: cannot encode %v", p.Opcode))
	}
	p.Pad = uint8(-len(p.Payload) & 3)
	for _, h := range row.Headers {
		dst = p.put(dst, order, h)
	}
	return append(append(dst, p.Payload...), make([]byte, p.Pad)...)
}

// EncodeBase appends RBTH alone, with p.Pad and any opcode, for packets that Encode does not create.
func (p Packet) EncodeBase(dst []byte, order spec.BitOrder) []byte {
	return p.put(dst, order, spec.RBTH)
}

func (p *Packet) put(dst []byte, order spec.BitOrder, h spec.Header) []byte {
	table, start := h.Table(order), len(dst)
	dst = append(dst, make([]byte, table.Octets)...)
	p.fields(h, func(name string, m member) {
		f := table.MustField(name)
		f.Set(dst[start:], m.get()&f.Max())
	})
	return dst
}

// DecodeBase reads RBTH from the start of b: all that is known before the QP is. The rule is ShortPacket or None.
func (p *Packet) DecodeBase(b []byte, order spec.BitOrder) spec.Rule {
	*p = Packet{}
	if len(b) < spec.RBTH.Octets() {
		return spec.ShortPacket
	}
	p.get(b, order, spec.RBTH)
	return spec.None
}

// DecodeHeaders reads the other headers and the payload of a packet whose RBTH has been read. The rule is BadOpcode for a
// reserved opcode, ShortHeaders if b ends inside the headers, and BadPayload if the payload with its pad is no multiple
// of 4 octets or is shorter than the pad; the headers have been read then. The payload shares memory with b.
func (p *Packet) DecodeHeaders(b []byte, order spec.BitOrder) spec.Rule {
	row, known := p.Opcode.Operation()
	if !known {
		return spec.BadOpcode
	}
	if len(b) < row.HeaderOctets() {
		return spec.ShortHeaders
	}
	for _, h := range row.Headers {
		p.get(b, order, h)
		b = b[h.Octets():]
	}
	if len(b)%4 != 0 || len(b) < int(p.Pad) {
		return spec.BadPayload
	}
	p.Payload = b[:len(b)-int(p.Pad)]
	return spec.None
}

// Decode reads a whole packet; the first broken rule of DecodeBase and DecodeHeaders.
func (p *Packet) Decode(b []byte, order spec.BitOrder) spec.Rule {
	if r := p.DecodeBase(b, order); r != spec.None {
		return r
	}
	return p.DecodeHeaders(b, order)
}

func (p *Packet) get(b []byte, order spec.BitOrder, h spec.Header) {
	table := h.Table(order)
	p.fields(h, func(name string, m member) {
		v, _ := table.MustField(name).Get(b)
		m.set(v)
	})
}
