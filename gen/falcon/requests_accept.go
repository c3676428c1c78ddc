package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// info is what decides when the packets of a message may leave.
type info struct {
	Pull       hdl.Value
	Numbered   hdl.Value // it takes a receive
	Free       hdl.Value // a datagram, which needs no credits
	Fence      hdl.Value
	Unfit      hdl.Value // it has no packet, and ends in error in its turn (I-111)
	Refused    hdl.Value // then: its QP goes on
	One        hdl.Value // it has one packet
	Behind     hdl.Value // packets after the first one
	LastLength hdl.Value // octets of the last packet, or of its response
	Headers    hdl.Value // octets of headers of the last packet; of a pull, of its response
	Ahead      hdl.Value // of the packets ahead of it
	More       hdl.Value // another element of the Read follows
	Empty      hdl.Value // the element has no packet
	Next       hdl.Value // place of the next message, of a Read that of its next element if there is one
}

func infoOf(c engine.Config) info {
	bit, octets := hdl.Bits(1), hdl.Bits(headerBits)
	return info{bit, bit, bit, bit, bit, bit, bit, hdl.Bits(indexBits(c)), hdl.Bits(payloadBits(c)), octets, octets, bit, bit, hdl.Bits(numberBits(c))}
}

// headerBits is the width of the octets of headers.
const headerBits = 7

// heldMessage is what the packets of a message are made of.
type heldMessage struct {
	Header  hdl.Value
	Address hdl.Value // of a push of one element
	List    hdl.Value // a push of several
	Only    hdl.Value // operations by position
	Ends    hdl.Value
	Begins  hdl.Value
	Inside  hdl.Value
	Octets  hdl.Value // of headers of the last packet
	Ahead   hdl.Value // and of those ahead of it
	Places  hdl.Value // which words of the header change: a bit per placed word
	Kinds   kinds
}

// kinds say which operation a message is.
type kinds struct {
	XRC, Read, Atomic, Write hdl.Value
}

func heldMessageOf(c engine.Config) heldMessage {
	bit, operation := hdl.Bits(1), hdl.Bits(operationBits)
	return heldMessage{Header: hdl.Bits(8 * HeaderOctets), Address: hdl.Bits(64), List: bit, Only: operation, Ends: operation, Begins: operation, Inside: operation,
		Octets: engine.TxMessageOf(c).HeaderLength, Ahead: engine.TxMessageOf(c).HeaderLength, Places: hdl.Bits(len(placedWords())), Kinds: kinds{bit, bit, bit, bit}}
}

// decode takes an element of a message of one packet apart. What decides on its packets is known in the stage postMeasured.
func (u *requests) decode(pipe *block.Pipeline, w engine.TxMessage) (info, heldMessage, postedElement) {
	m, c := u.Module, u.c
	order := profileOf(c).Order
	tag := w.Tag.(*Sent)
	m.Unused("of a packet", tag.CID, tag.RSN, tag.Length, tag.List, tag.Element)
	f := fields{m: m, order: order, octets: w.Header}
	opcode := newOpcode(m, m.Let("opcode", f.rbth("opcode")))
	is := func(name string, want func(o *spec.Operation) bool) hdl.Value {
		return opcode.is(name, func(o *spec.Operation) bool { return o.Source == spec.Initiator && o.Position == spec.Only && want(o) })
	}
	xrc := is("is_xrc_request", func(o *spec.Operation) bool { return o.Has(spec.XRCETH) })
	read, atomic := is("is_read", func(o *spec.Operation) bool { return o.Kind == spec.Read }), is("is_atomic", func(o *spec.Operation) bool { return o.Kind&spec.Atomic != 0 })
	numbered := is("is_numbered", func(o *spec.Operation) bool { return o.Packet == spec.PushRequest && o.Receives() })
	write := is("is_write", func(o *spec.Operation) bool { return o.Kind == spec.Write })
	k := kinds{XRC: xrc, Read: read, Atomic: atomic, Write: write}
	pull := m.Let("is_pull", tag.Type.Eq(hdl.Const(typeBits, uint64(spec.PullRequest))))

	m.Note("Octets of the message: of payload, or asked for beside those of headers.")
	reth := func(octet int) hdl.Value { return f.get(w.Header, spec.RETH, octet, "length") }
	base := spec.RBTH.Octets()
	asked := m.Let("read_length", hdl.Mux(xrc, reth(base+spec.XRCETH.Octets()), reth(base)))
	measured := func(s *block.Signal) hdl.Value { return s.At(postMeasured) }
	own := pipe.Signal("octets_of_element", 0, hdl.Mux(pull, asked.And(read.Replicate(32)), w.Length))
	may := u.permit(pipe, opcode, w)
	at := u.place(pipe, tag, own, pull, may.foreign)
	length := measured(pipe.Holds("octets_of_message", postPlaced, at.octets))
	within := block.IndexWidth(c.MaxPayload)
	rest, whole := length.Truncate(within), length.Slice(31, within)
	full := m.Let("last_is_full", rest.IsZero().And(whole.Any()))
	behind := m.Let("packets_behind", whole.Sub(full.ZeroExtend(indexBits(c))))
	bit := func(name string, v hdl.Value) hdl.Value { return measured(pipe.Holds(name, 0, v)) }
	fits := m.Let("fits_one_packet", hdl.Mux(full, whole.Is(1), whole.IsZero()))
	isNumbered := bit("measured_numbered", numbered)
	refused := m.Let("is_refused", hdl.AnyOf(bit("measured_refused", tag.RefusedWork), measured(may.foreign), hdl.AllOf(measured(may.single), isNumbered, fits.Not())))
	unfit := m.Let("is_unfit", bit("measured_unfit", tag.Unfit).Or(refused))
	m.Note("One without a packet takes the turn of one packet.")
	one := m.Let("has_one_packet", fits.Or(unfit))

	m.Note("Octets of headers, by position.")
	headers := w.HeaderLength.ZeroExtend(headerBits)
	response := func(o *spec.Operation) int {
		return spec.Find(o.Opcode.Service(), spec.PullData, o.Kind, spec.Only, spec.Plain).HeaderOctets()
	}
	ofRead, ofAtomic := uint64(response(spec.Find(spec.RC, spec.PullRequest, spec.Read, spec.Only, spec.Plain))), uint64(response(spec.Find(spec.RC, spec.PullRequest, spec.FetchAdd, spec.Only, spec.Plain)))
	m.Note("A response has no XRCETH.")
	ends := pipe.Signal("octets_at_end", 0, hdl.Select(headers, hdl.When{Cond: atomic, Then: hdl.Const(headerBits, ofAtomic)}, hdl.When{Cond: read, Then: hdl.Const(headerBits, ofRead)}))
	suffix := is("has_suffix", func(o *spec.Operation) bool { return o.Suffix != spec.Plain })
	extra := pipe.Signal("suffix_octets", 0, hdl.Mux(write, hdl.Const(headerBits, uint64(spec.SETH.Octets()+spec.ImmDt.Octets())), hdl.Const(headerBits, uint64(spec.ImmDt.Octets()))).And(suffix.Replicate(headerBits)))

	m.Note("Operations by position.")
	position := func(name string, p spec.Position) hdl.Value {
		var list []hdl.When
		for n := range 1 << operationBits {
			o, is := spec.Opcode(n).Operation()
			if !is || o.Packet != spec.PushRequest || o.Position != spec.Only {
				continue
			}
			to := o.Suffix
			if p != spec.Last {
				to = spec.Plain
			}
			other := spec.Find(spec.RC, o.Packet, o.Kind, p, to)
			list = append(list, hdl.When{Cond: opcode.operation.Eq(opcode.names[n]), Then: opcode.names[number(other)]})
		}
		return m.Let(name, hdl.Select(opcode.operation, list...))
	}
	var places []hdl.Value // most significant first
	for _, p := range placedWords() {
		places = append([]hdl.Value{is("has_"+p.String(), p.has)}, places...)
	}
	placed := func(name string, v hdl.Value) hdl.Value { return measured(pipe.Holds(name, postPlaced, v)) }
	return info{Pull: bit("measured_pull", pull), Numbered: isNumbered.And(unfit.Not()), Free: bit("measured_datagram", opcode.services[spec.UD]), Fence: bit("measured_fence", tag.Fence), Unfit: unfit, Refused: refused, One: one, Behind: behind, LastLength: hdl.Cat(full, rest),
			Headers: measured(ends), Ahead: m.Let("octets_ahead", measured(ends).Sub(measured(extra))),
			More: placed("measured_more", at.last.Not()), Empty: placed("measured_empty", at.empty), Next: placed("measured_next", at.next)},
		heldMessage{Header: w.Header, Address: w.Address, List: m.Let("is_list", pull.Not().And(tag.First.Not().Or(tag.More))), Only: opcode.operation, Ends: position("last_operation", spec.Last), Begins: position("first_operation", spec.First),
			Inside: position("middle_operation", spec.Middle), Octets: w.HeaderLength, Ahead: m.Let("message_octets_ahead", w.HeaderLength.Sub(low(extra.At(0), w.HeaderLength.Width()))), Places: hdl.Cat(places...), Kinds: k}, at
}
