package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// TxBeat is one AXI4-Stream transfer of a packet for Falcon. The sideband is the same in all beats of a packet.
type TxBeat struct {
	Data hdl.Value `hdl:"tdata" doc:"octets; octet 0 in [7:0]"`
	Keep hdl.Value `hdl:"tkeep" doc:"valid octets, contiguous from octet 0, a multiple of 4; all of them except in the last beat"`
	Last hdl.Value `hdl:"tlast" doc:"last beat of the packet"`
	User hdl.Value `hdl:"tuser" doc:"[2:0] Falcon packet type: 0 pull request, 3 pull data, 5 push request; [18:3] Request Length in octets"`
	RSN  hdl.Value `hdl:"tid" doc:"Request Sequence Number of the transaction on its connection"`
	CID  hdl.Value `hdl:"tdest" doc:"local number of the connection"`
}

// StreamNames are those of AXI4-Stream.
func (TxBeat) StreamNames() (valid, ready string) { return "tvalid", "tready" }

// TxBeatOf is the prototype.
func TxBeatOf(c engine.Config) TxBeat {
	return TxBeat{Data: hdl.Bits(8 * c.BusBytes), Keep: hdl.Bits(c.BusBytes), Last: hdl.Bits(1), User: hdl.Bits(typeBits + lengthBits),
		RSN: hdl.Bits(rsnBits), CID: profileOf(c).cid()}
}

// TxPorts are packets in, packets for Falcon out.
type TxPorts struct {
	Packet hdl.Sink[block.Beat] `hdl:"s_axis"`
	Tx     hdl.Source[TxBeat]   `hdl:"m_axis_tx"`
}

const txDoc = `falcon_tx hands packets to Falcon: what goes with each as the sideband of its beats, and its payload padded with octets of
zero to a multiple of 4 (RDMA over Falcon 8.2). The pad in RBTH is right already. One beat per cycle, one cycle later.

A packet whose payload memory did not deliver has a number, so it leaves: its headers alone, with CE = 1 and without
pad, and with their octets as its Request Length. Its beats after the headers take a cycle each.`

// Tx is for the packets of a tx_engine.
func Tx(c engine.Config) hdl.Block[TxPorts] {
	return hdl.Block[TxPorts]{
		Kind: "falcon_tx", Options: orderOptions(profileOf(c).Order), Params: append(c.Params("bus_bytes", "streams"), hdl.Param{Name: "connections", Value: profileOf(c).Connections}),
		Doc:   txDoc,
		Ports: TxPorts{Packet: hdl.NewSink(transmit.TxBeatOf(c)), Tx: hdl.NewSource(TxBeatOf(c))},
		Build: func(m *hdl.Module, p TxPorts) { buildTx(m, p, c) },
	}
}

func buildTx(m *hdl.Module, p TxPorts, c engine.Config) {
	out := block.NewSkid(m, "beat", TxBeatOf(c), p.Tx)
	p.Packet.Accept(m, out.Room)
	b := p.Packet.Data
	beside := b.Beside.(*transmit.TxBeside)
	sent, unread := beside.Tag.(*Sent), beside.Unread
	m.Unused("a packet names its connection", b.User)
	m.Unused("the packet is cut, and gathered", sent.Fence, sent.Unfit, sent.RefusedWork, sent.First, sent.More, sent.List, sent.Element)
	takes := m.Let("takes", p.Packet.Valid.And(out.Room))
	first := m.Reg("first_q", 1, hdl.ResetTo(1))
	m.OnClock(hdl.If(takes, first.Set(b.Last)))

	m.Section("Words of the headers from this beat on, and those in it")
	m.Unused("headers are whole words", beside.HeaderLength.Truncate(2))
	left := headerWords(m, beside.HeaderLength.Slice(2+wordBits-1, 2), first.Value, takes, c.BusBytes/4)

	m.Section("A packet without its payload: CE = 1, no pad")
	order := profileOf(c).Order
	set, clear := inFirstWord(order, "ce"), inFirstWord(order, "pad")
	word := b.Data.Truncate(32)
	changed := m.Let("first_word_in_error", word.And(hdl.Const(32, uint64(^clear))).Or(hdl.Const(32, uint64(set))))
	low := m.Let("first_word", hdl.Mux(unread.And(first.Value), changed, word))
	data := m.Let("octets", hdl.Cat(b.Data.Slice(8*c.BusBytes-1, 32), low))
	kept, padded := left.here.Replicate(4), m.Let("padded_keep", wordsKept(m, b.Keep).Replicate(4))
	visible := m.Let("header_octets", kept.Or(unread.Not().Replicate(c.BusBytes)))
	length := hdl.Mux(unread, beside.HeaderLength.ZeroExtend(lengthBits), sent.Length)
	enters := m.Let("enters", takes.And(unread.And(left.none).Not()))
	out.Drive(enters, TxBeat{Data: data.And(visible.Replicate(8)), Keep: padded.And(visible), Last: b.Last.Or(unread.And(left.ends)),
		User: hdl.Cat(length, sent.Type), RSN: sent.RSN, CID: sent.CID})
}

// inFirstWord marks a field of RBTH in the first 32 bits of a packet, octet i in [8i+7:8i].
func inFirstWord(order spec.BitOrder, name string) uint32 {
	field := spec.RBTH.Table(order).MustField(name)
	octets := make([]byte, spec.RBTH.Octets())
	field.Set(octets, field.Max())
	return uint32(octets[0]) | uint32(octets[1])<<8 | uint32(octets[2])<<16 | uint32(octets[3])<<24
}

// wordsKept are the words of a beat that have an octet.
func wordsKept(m *hdl.Module, keep hdl.Value) hdl.Value {
	var words []hdl.Value // most significant first
	for i := keep.Width() - 4; i >= 0; i -= 4 {
		words = append(words, keep.Bit(i))
		m.Unused("valid octets are contiguous from octet 0", keep.Slice(i+3, i+1))
	}
	return hdl.Cat(words...)
}

// headerLeft is what is left of the headers of a packet as a beat is taken.
type headerLeft struct {
	here hdl.Value // words of the beat that belong to them
	none hdl.Value // they ended before
	ends hdl.Value // they end in it
}

// headerWords follows the headers of a packet; words is their number.
func headerWords(m *hdl.Module, words, first, takes hdl.Value, perBeat int) headerLeft {
	if perBeat >= 1<<wordBits {
		return headerLeft{here: below(words, perBeat), none: first.Not(), ends: hdl.Ones(1)}
	}
	rest := m.Reg("header_words_left_q", wordBits, hdl.NoReset)
	left := m.Let("header_words_left", hdl.Mux(first, words, rest.Value))
	goesOn := m.Let("headers_go_on", hdl.Const(wordBits, uint64(perBeat)).Lt(left))
	m.OnClock(hdl.If(takes, rest.Set(left.Minus(uint64(perBeat)).And(goesOn.Replicate(wordBits)))))
	return headerLeft{here: below(left, perBeat), none: left.IsZero(), ends: goesOn.Not()}
}

// below marks the numbers under n among the first few.
func below(n hdl.Value, few int) hdl.Value {
	var marks []hdl.Value // most significant first
	for i := few - 1; i >= 0; i-- {
		if i >= 1<<n.Width()-1 {
			marks = append(marks, hdl.Zero(1))
			continue
		}
		marks = append(marks, hdl.Const(n.Width(), uint64(i)).Lt(n))
	}
	return hdl.Cat(marks...)
}
