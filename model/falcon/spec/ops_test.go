package spec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The table of RoF 8.1.3, transcribed from the text: opcode, source (I, T), Falcon packet type and headers, those of
// Atomics exchanged (I-22).
const second = `
000 00000 I push RBTH SETH OETH
000 00001 I push RBTH SETH OETH
000 00010 I push RBTH SETH OETH
000 00011 I push RBTH SETH OETH ImmDt
000 00100 I push RBTH SETH OETH
000 00101 I push RBTH SETH OETH ImmDt
000 00110 I push RBTH RETH
000 00111 I push RBTH RETH
000 01000 I push RBTH RETH
000 01001 I push RBTH RETH SETH ImmDt
000 01010 I push RBTH RETH
000 01011 I push RBTH RETH SETH ImmDt
000 01100 I pull RBTH RETH SETH STETH
000 01101 T data RBTH STETH
000 01110 T data RBTH STETH
000 01111 T data RBTH STETH
000 10000 T data RBTH STETH
000 10010 T data RBTH AtomicAckETH STETH
000 10011 I pull RBTH AtomicETH SETH STETH
000 10100 I pull RBTH AtomicETH SETH STETH
000 10110 I push RBTH SETH OETH IETH
000 10111 I push RBTH SETH OETH IETH
011 00100 I push RBTH DETH
011 00101 I push RBTH DETH ImmDt
`

var names = map[string]Header{"RBTH": RBTH, "RETH": RETH, "SETH": SETH, "OETH": OETH, "STETH": STETH, "ImmDt": ImmDt,
	"AtomicETH": AtomicETH, "AtomicAckETH": AtomicAckETH, "IETH": IETH, "DETH": DETH}

func bits(s string) (v uint8) {
	for _, c := range s {
		v = v<<1 | uint8(c-'0')
	}
	return v
}

func TestOperations(t *testing.T) {
	assigned := map[Opcode]bool{}
	for line := range strings.Lines(strings.TrimSpace(second)) {
		w := strings.Fields(line)
		code := Opcode(bits(w[0])<<5 | bits(w[1]))
		var headers []Header
		for _, name := range w[4:] {
			headers = append(headers, names[name])
		}
		check := func(code Opcode, headers []Header) {
			o, known := code.Operation()
			require.True(t, known, line)
			assigned[code] = true
			assert.Equal(t, code, o.Opcode)
			assert.Equal(t, w[2] == "I", o.Source == Initiator, line)
			assert.Equal(t, map[string]PacketType{"push": PushRequest, "pull": PullRequest, "data": PullData}[w[3]], o.Packet, line)
			assert.Equal(t, headers, o.Headers, line)
		}
		check(code, headers)
		if w[0] == "000" {
			if w[2] == "I" {
				headers = append([]Header{RBTH, XRCETH}, headers[1:]...)
			}
			check(0b101<<5|code, headers)
		}
	}
	assert.Len(t, assigned, 22+2+22)
	assert.Len(t, Operations, len(assigned))
	for code := range 256 {
		_, known := Opcode(code).Operation()
		assert.Equal(t, assigned[Opcode(code)], known, "0x%02X", code)
	}
	assert.Equal(t, "RC READ Request", Opcode(0x0C).String())
	assert.Equal(t, "XRC READ Request", Opcode(0xAC).String())
	assert.Equal(t, "reserved opcode 0x11", Opcode(0x11).String())
	assert.Equal(t, "RC UD XRC service(1)", RC.String()+" "+UD.String()+" "+XRC.String()+" "+Service(1).String())
}

// The columns of a row agree with each other and with its title, and no two rows of a service have the same.
func TestRowsAgree(t *testing.T) {
	type key struct {
		Service
		PacketType
		Kind
		Position
		Suffix
	}
	seen, named := map[key]bool{}, map[string]bool{}
	for _, o := range Operations {
		s := o.Opcode.Service()
		k := key{s, o.Packet, o.Kind, o.Position, o.Suffix}
		assert.False(t, seen[k], o.Title)
		assert.False(t, named[s.String()+o.Name], o.Name)
		seen[k], named[s.String()+o.Name] = true, true
		row := Find(s, o.Packet, o.Kind, o.Position, o.Suffix)
		assert.Equal(t, o.Opcode, row.Opcode)

		upper := strings.ToUpper(o.Title)
		for position, word := range map[Position]string{First: "FIRST", Middle: "MIDDLE", Last: "LAST", Only: "ONLY"} {
			single := position == Only && (o.Packet == PullRequest || o.Kind == Atomic)
			assert.Equal(t, o.Position == position, single || strings.Contains(upper, word), o.Title)
		}
		assert.Equal(t, o.Suffix == Immediate, strings.Contains(upper, "IMMEDIATE"), o.Title)
		assert.Equal(t, o.Suffix == Immediate, o.Has(ImmDt), o.Title)
		assert.Equal(t, o.Suffix == Invalidate, o.Has(IETH), o.Title)
		assert.Equal(t, o.Kind == Send, strings.HasPrefix(upper, "SEND"), o.Title)
		assert.Equal(t, o.Kind == Write, strings.HasPrefix(upper, "WRITE"), o.Title)
		assert.Equal(t, o.Kind == Read, strings.HasPrefix(upper, "READ"), o.Title)
		assert.Equal(t, o.Kind&Atomic != 0, strings.HasPrefix(upper, "ATOMIC"), o.Title)
		assert.Equal(t, s == UD, o.Has(DETH), o.Title)
		assert.Equal(t, s == XRC && o.Source == Initiator, o.Has(XRCETH), o.Title)
		assert.Equal(t, o.Packet == PullData, o.Source == Target, o.Title)
		assert.Equal(t, o.Packet != PushRequest, o.Has(STETH), "the sink: %s", o.Title)
		assert.Equal(t, s != UD && (o.Packet == PullRequest || o.Receives()), o.Has(SETH), o.Title)
		assert.Equal(t, o.Packet == PushRequest && o.Receives() && (o.Kind == Send && o.Position&Whole != 0 || o.Position == Last), !o.Orderings.Has(Unordered) && o.Receives(), o.Title)
	}
	assert.Nil(t, Find(UD, PushRequest, Write, Only, Plain))
	assert.Equal(t, 44, Find(RC, PullRequest, Read, Only, Plain).HeaderOctets())
	assert.Equal(t, 56, Find(RC, PullRequest, CmpSwap, Only, Plain).HeaderOctets())
	assert.Equal(t, 32, Find(RC, PullData, FetchAdd, Only, Plain).HeaderOctets())
	assert.Equal(t, 40, Find(XRC, PushRequest, Write, Last, Immediate).HeaderOctets())
}

func TestModes(t *testing.T) {
	for o := Strong; o <= Unordered; o++ {
		for _, q := range []QPType{QPRC, QPUD, QPXRCInitiator, QPXRCTarget} {
			s, ok := SupportOf(o, q)
			require.True(t, ok)
			assert.Equal(t, o == Strong, s.Ordered)
			assert.Equal(t, o != Unordered, s.Verbs)
			assert.Equal(t, q == QPUD, s.ReadWrite == NoSize)
			assert.Equal(t, q == QPUD || o == Unordered, s.Send == OneMTU)
			assert.Equal(t, o == Unordered && q != QPUD, s.WriteImmediate == OneMTU)
			assert.Equal(t, q != QPUD, q.Connected())
		}
		assert.Equal(t, o != Unordered, o.Completes())
	}
	_, ok := SupportOf(3, QPRC)
	assert.False(t, ok)
	assert.Equal(t, "strong weak unordered ordering(3)", Strong.String()+" "+Weak.String()+" "+Unordered.String()+" "+Ordering(3).String())
	assert.Equal(t, "verbs complete_in_error errors(2)", Verbs.String()+" "+CompleteInError.String()+" "+ErrorMode(2).String())
	assert.Equal(t, "rc xrc_target qp_type(4)", QPRC.String()+" "+QPXRCTarget.String()+" "+QPType(4).String())
}
