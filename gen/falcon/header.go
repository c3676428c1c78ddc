package falcon

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// part is what a 32-bit word of the headers after RBTH has of a field. Fields of one name have the same value where they may stand in the
// same word.
type part struct {
	word int
	name string
	bit  int // where the field begins, from the most significant bit of the word: at -32 if it is the second half
}

func (p part) String() string {
	if p.bit < 0 {
		return fmt.Sprintf("%s_in_words_to_%d", p.name, p.word)
	}
	return fmt.Sprintf("%s_in_word_%d", p.name, p.word)
}

// of is the word with the value of the field and 0 in other bits.
func (p part) of(field hdl.Value) hdl.Value {
	switch width := field.Width(); {
	case p.bit < 0:
		return field.Truncate(32)
	case width > 32:
		return field.Slice(width-1, width-32)
	case p.bit+width < 32:
		return hdl.Cat(field, hdl.Zero(32-p.bit-width)).ZeroExtend(32)
	}
	return field.ZeroExtend(32)
}

// partsOf are those of a packet type that a work request gives values, once XRCETH is taken out.
func (p Profile) partsOf(row *spec.Operation) (list []part) {
	octet := spec.RBTH.Octets()
	for _, h := range row.Headers[1:] {
		if h == spec.XRCETH {
			continue
		}
		for _, f := range h.Table(p.Order).Fields {
			if f.Reserved || h == spec.SETH || h == spec.OETH {
				continue
			}
			first := octet + f.Offset/32*4
			list = append(list, part{first / 4, f.Name, f.Offset % 32})
			if f.Width > 32 {
				list = append(list, part{first/4 + 1, f.Name, -32})
			}
		}
		octet += h.Octets()
	}
	return list
}

// parts are those of all packet types of work requests.
func (p Profile) parts() (list []part) {
	for _, row := range workRows() {
		for _, one := range p.partsOf(row) {
			if !slices.Contains(list, one) {
				list = append(list, one)
			}
		}
	}
	return list
}

// messageKind is what a work request's opcode says of its headers.
type messageKind struct {
	Parts    hdl.Value // it has the part, in one bit for each
	Words    hdl.Value // of all headers
	Receives hdl.Value // the message takes a receive
	Carries  hdl.Value // payload may follow
	Datagram hdl.Value
	XRC      hdl.Value `hdl:"xrc"` // XRCETH directly follows RBTH
}

// KindTag is a [messageKind].
func (p Profile) KindTag() any {
	bit := hdl.Bits(1)
	return &messageKind{hdl.Bits(len(p.parts())), hdl.Bits(wordBits), bit, bit, bit, bit}
}

// messageKindOf decodes an opcode.
func (p Profile) messageKindOf(o workOpcode) *messageKind {
	var parts, words []hdl.Value // most significant first
	for _, one := range slices.Backward(p.parts()) {
		parts = append(parts, o.is("has_"+one.String(), func(row *spec.Operation) bool { return slices.Contains(p.partsOf(row), one) }))
	}
	for bit := wordBits - 1; bit >= 0; bit-- {
		words = append(words, o.is(fmt.Sprintf("header_words_%d", bit), func(row *spec.Operation) bool { return wordsOf(row)>>bit&1 == 1 }))
	}
	return &messageKind{hdl.Cat(parts...), hdl.Cat(words...), o.is("takes_receive", (*spec.Operation).Receives), o.is("carries_payload", (*spec.Operation).Carries),
		o.is("is_datagram", func(row *spec.Operation) bool { return row.Has(spec.DETH) }), o.is("has_xrceth", func(row *spec.Operation) bool { return row.Has(spec.XRCETH) })}
}

// Header is that of a work request's message as if it were one Only packet. Still zero are SN, RMSN, and the Destination QP of a connected
// QP, which are known when its packets are cut.
func (p Profile) Header(m *hdl.Module, w engine.HeldWork) (octets, length hdl.Value) {
	kind := w.Kind.More.(*messageKind)
	m.Unused("its parts say more", w.Kind.Write, w.Kind.Invalidate, w.Kind.Immediate)
	m.Unused("the opcode says what an Atomic does, to all bits of its word", w.Operands.Opcode, w.Operands.Mask, w.Operands.CompareMask)
	m.Note("After RBTH and XRCETH each word has one of a few fields, or is 0.")
	behind := make([]hdl.Value, HeaderOctets/4-wordsOfRBTH-1)
	for i := range behind {
		behind[i] = hdl.Zero(32)
	}
	for i, one := range p.parts() {
		word := &behind[one.word-wordsOfRBTH]
		*word = word.Or(one.of(fieldOf(w, one)).And(kind.Parts.Bit(i).Replicate(32)))
	}
	for i, word := range behind {
		behind[i] = m.Let(fmt.Sprintf("other_word_%d", i), word.ReverseOctets())
	}
	xrceth := assemble(p.Order, spec.XRCETH, values{"xrc_srq": w.Tag.(*WorkTag).SRQ})
	shifted, plain := append([]hdl.Value{xrceth}, behind...), append(behind, hdl.Zero(32))
	words := []hdl.Value{p.base(m, w, kind)} // least significant first
	for i := range plain {
		words = append(words, hdl.Mux(kind.XRC, shifted[i], plain[i]))
	}
	slices.Reverse(words)
	return m.Let("header", hdl.Cat(words...)), m.Let("header_length", hdl.Cat(kind.Words, hdl.Zero(2)).ZeroExtend(p.headerBits()))
}

// wordsOfRBTH is the number of its words.
var wordsOfRBTH = spec.RBTH.Octets() / 4

const qpNumberBits = 24 // of the number of a QP

// base is RBTH.
func (p Profile) base(m *hdl.Module, w engine.HeldWork, kind *messageKind) hdl.Value {
	return assemble(p.Order, spec.RBTH, values{"version": hdl.Const(4, spec.Version), "opcode": w.Opcode,
		"se":             w.Tag.(*WorkTag).Solicited.And(kind.Receives),
		"pad":            m.Let("pad", padOf(w.Length).And(kind.Carries.Replicate(padBits))),
		"destination_qp": w.Remote.TO.Truncate(qpNumberBits).And(kind.Datagram.Replicate(qpNumberBits))})
}

// sinkWord is the first word in which VA is that of STETH.
var sinkWord = wordsOfRBTH + (spec.RETH.Octets()+spec.SETH.Octets())/4

// fieldOf is the value of a field.
func fieldOf(w engine.HeldWork, p part) hdl.Value {
	if p.name == "va" && p.word >= sinkWord {
		return w.Local.TO
	}
	return map[string]hdl.Value{"va": w.Remote.TO, "r_key": w.Remote.STag, "length": w.Length, "l_key": w.Local.STag, "immediate_data": w.Operands.Data.Truncate(32),
		"swap_add_data": w.Operands.Data, "compare_data": w.Operands.Compare, "queue_key": w.Remote.STag, "source_qp": w.Stream.ZeroExtend(qpNumberBits)}[p.name]
}

// Cut and Opens leave a header as it is: packets are cut before.
func (Profile) Cut(_ *hdl.Module, octets, before, last hdl.Value) hdl.Value { return octets }
func (Profile) Opens(_ *hdl.Module, octets, last hdl.Value) hdl.Value       { return octets }
