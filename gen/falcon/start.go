package falcon

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// start is what the first word of RBTH decides.
type start struct {
	Words        hdl.Value // 32-bit words of the headers
	XRCETH       hdl.Value `hdl:"xrceth"` // XRCETH is among them
	Carries      hdl.Value // the opcode is known, and payload may follow; otherwise nothing may
	Last         hdl.Value // payload must
	Pad          hdl.Value // octets
	WrongVersion hdl.Value
	BadOpcode    hdl.Value
}

// starts holds the start of the packet being received.
type starts struct {
	m      *hdl.Module
	opcode opcode
	takes  hdl.Value // the first beat of a packet is taken
	first  hdl.Value // the next beat is a first one
	now    start     // of a first beat
	stored start
}

// newStarts stores the start of the first beat of each packet.
func newStarts(m *hdl.Module, order spec.BitOrder, beat Beat, held block.HeldBeat[Beat]) starts {
	s := starts{m: m, takes: m.Let("takes_start", held.Take.And(held.First)), first: held.First}
	s.now, s.opcode = startOf(m, order, beat)
	stored := hdl.NewRegOf(m, "start", s.now, hdl.NoReset)
	m.OnClock(hdl.If(s.takes, stored.Set(s.now)))
	s.stored = stored.Q
	return s
}

// flags are 1 for some packet types each: now of the packet whose beat arrives, stored of that whose beat is held.
func (s starts) flags(names []string, want func(i int, row *spec.Operation) bool) (now, stored []hdl.Value) {
	var sets hdl.Stmts
	for i, name := range names {
		is := s.opcode.is(name, func(row *spec.Operation) bool { return want(i, row) })
		reg := s.m.Reg(name+"_q", 1, hdl.NoReset)
		sets = append(sets, reg.Set(is))
		now, stored = append(now, hdl.Mux(s.first, is, reg.Value)), append(stored, reg.Value)
	}
	s.m.OnClock(hdl.If(s.takes, sets))
	return now, stored
}

// places are the flags of the places at which some packet types have a header that others have elsewhere.
func (s starts) places() map[place]hdl.Value {
	var list []place
	var names []string
	for _, h := range []spec.Header{spec.SETH, spec.STETH, spec.ImmDt} {
		for _, p := range placesOf(h)[1:] {
			list, names = append(list, p), append(names, p.String())
		}
	}
	_, stored := s.flags(names, func(i int, row *spec.Operation) bool {
		there, has := placeOf(row, list[i].header)
		return has && there == list[i]
	})
	out := map[place]hdl.Value{}
	for i, p := range list {
		out[p] = stored[i]
	}
	return out
}

// startOf reads the first word of a packet's first beat.
func startOf(m *hdl.Module, order spec.BitOrder, beat Beat) (start, opcode) {
	field := fields{m: m, order: order, octets: beat.Data}.rbth
	opcode := newOpcode(m, m.Let("opcode", field("opcode")))
	known := opcode.isKnown("is_known")
	m.Note("What follows holds for the packet types of the table; other opcodes are refused.")
	xrceth := opcode.is("has_xrceth", func(o *spec.Operation) bool { return o.Has(spec.XRCETH) })
	pull := opcode.is("is_pull_request", func(o *spec.Operation) bool { return o.Packet == spec.PullRequest })
	data := opcode.is("is_pull_data", func(o *spec.Operation) bool { return o.Packet == spec.PullData })
	code := func(t spec.PacketType) hdl.Value { return m.Constant(strings.ToUpper(t.String()), typeBits, uint64(t)) }
	wants := m.Let("wants_type", hdl.Select(code(spec.PushRequest), hdl.When{Cond: pull, Then: code(spec.PullRequest)}, hdl.When{Cond: data, Then: code(spec.PullData)}))
	return start{
		Words:        m.Let("header_words", otherWords(m, opcode).Add(xrceth.ZeroExtend(wordBits))),
		XRCETH:       xrceth,
		Carries:      m.Let("has_payload", known.And(opcode.is("carries_payload", (*spec.Operation).Carries))),
		Last:         opcode.is("has_some", func(o *spec.Operation) bool { return o.Packet == spec.PushRequest && o.Position == spec.Last }),
		Pad:          field("pad"),
		WrongVersion: m.Let("wrong_version", field("version").Ne(hdl.Const(4, spec.Version))),
		BadOpcode:    m.Let("bad_opcode", known.Not().Or(beat.Type.Ne(wants))),
	}, opcode
}

// otherWords is the number of words of the headers without XRCETH.
func otherWords(m *hdl.Module, opcode opcode) hdl.Value {
	lengths := map[int]bool{}
	for _, o := range rows() {
		lengths[wordsOf(o)-xrcWords(o)] = true
	}
	list := slices.Sorted(maps.Keys(lengths))
	var words []hdl.When
	for _, n := range list[1:] {
		is := opcode.is(fmt.Sprintf("has_%d_words", n), func(o *spec.Operation) bool { return wordsOf(o)-xrcWords(o) == n })
		words = append(words, hdl.When{Cond: is, Then: hdl.Const(wordBits, uint64(n))})
	}
	return m.Let("other_words", hdl.Select(hdl.Const(wordBits, uint64(list[0])), words...))
}

// wordBits is the width of a number of words of headers.
const wordBits = 4

// wordsOf is the number of 32-bit words of a packet type's headers.
func wordsOf(o *spec.Operation) int { return o.HeaderOctets() / 4 }

// xrcWords is that of its XRCETH.
func xrcWords(o *spec.Operation) int {
	if o.Has(spec.XRCETH) {
		return spec.XRCETH.Octets() / 4
	}
	return 0
}
