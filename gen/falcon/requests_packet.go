package falcon

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// placedWord is a 32-bit word of the headers that differs between the packets of a message, at its place in some packet types.
type placedWord struct {
	what string
	word int
}

func (p placedWord) String() string { return fmt.Sprintf("%s_at_%d", p.what, p.word) }

// has reports whether a packet type has the word there.
func (p placedWord) has(o *spec.Operation) bool { return slices.Contains(placedIn(o), p) }

// placedIn lists the words of a packet type: those of the packet, and, of what only the last packet of a message has, the suffix.
func placedIn(o *spec.Operation) (list []placedWord) {
	if o.Source != spec.Initiator || o.Position != spec.Only || o.Has(spec.DETH) {
		return nil
	}
	word, pushes := 0, o.Packet == spec.PushRequest
	put := func(what string, at int) { list = append(list, placedWord{what, word + at}) }
	for _, h := range o.Headers {
		switch {
		case h == spec.RETH:
			put("va_high", 0)
			put("va_low", 1)
			put("length", 3)
		case h == spec.SETH && pushes && o.Kind == spec.Write:
			put("last_rmsn", 0)
		case h == spec.SETH:
			put("rmsn", 0)
		case h == spec.OETH:
			put("offset", 0)
		case h == spec.STETH && o.Kind == spec.Read:
			put("sink_high", 0)
			put("sink_low", 1)
		case h == spec.ImmDt || h == spec.IETH:
			put("suffix", 0)
		}
		word += h.Octets() / 4
	}
	return list
}

// placedWords lists all of them.
func placedWords() (list []placedWord) {
	for _, o := range rows() {
		for _, p := range placedIn(o) {
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	slices.SortFunc(list, func(a, b placedWord) int { return 16*(a.word-b.word) + slices.Compare([]byte(a.what), []byte(b.what)) })
	return list
}

// Stages of the pipeline of packets.
const (
	messageRead = 1
	advanced    = 2 // its sums
	assembled   = 3
)

// build makes the packets that leave from their messages.
func (u *requests) build(k candidate, goes hdl.Value, length *block.Signal, packets block.Reserved[engine.TxMessage]) {
	m, c := u.Module, u.c
	m.Section("Packet: its message")
	pipe := block.NewNamedPipeline(m, "packet_", goes, assembled)
	of := func(name string, s *block.Signal) *block.Signal { return pipe.Holds(name, 0, s.At(admitted)) }
	stream, number, index, sn := of("made_stream", k.stream), of("made_number", k.number), of("made_index", k.index), of("made_sn", k.sn)
	ce, ends, pull, numbered := of("made_ce", k.inError), of("made_ends", k.messageEnds), of("made_pull", k.pull), of("made_numbered", k.numbered)
	element := pipe.Holds("made_element", 0, k.element.At(admitted).Truncate(numberBits(c)-1))
	cid, octets, total := of("made_cid", k.cid), of("made_octets", length), of("made_total", u.total)
	rmsn := pipe.Signal("made_rmsn", 0, hdl.Mux(k.pull.At(admitted), k.pullRMSN.At(admitted), k.sendRMSN.At(admitted)))
	held := hdl.Unpack(heldMessageOf(c), u.messages.Read("message_q", goes, hdl.Cat(stream.At(0), element.At(0)), hdl.ReadOld))
	setting := hdl.Unpack(settingOf(c), u.settings.ReadAlone("made_setting", goes, stream.At(0)))
	m.Unused("known before", setting.CID, setting.Verbs, hdl.Pack(setting.Pulls))

	m.Section("Its addresses, offset and RSN")
	words := make([]hdl.Value, HeaderOctets/4)
	network := m.Let("held_header", held.Header.ReverseOctets())
	for i := range words {
		top := 8*HeaderOctets - 1 - 32*i
		words[i] = network.Slice(top, top-31)
	}
	xrc := held.Kinds.XRC
	word := func(name string, plain int) hdl.Value { return m.Let(name, hdl.Mux(xrc, words[plain+1], words[plain])) }
	wordOf := func(o *spec.Operation, h spec.Header, field string) int {
		p, _ := placeOf(o, h)
		return (p.octet + h.Table(profileOf(c).Order).MustField(field).Offset/8) / 4
	}
	read := spec.Find(spec.RC, spec.PullRequest, spec.Read, spec.Only, spec.Plain)
	atomic := spec.Find(spec.RC, spec.PullRequest, spec.FetchAdd, spec.Only, spec.Plain)
	either := func(name, field string, part int) hdl.Value {
		return m.Let(name, hdl.Mux(held.Kinds.Atomic, word(name+"_of_atomic", wordOf(atomic, spec.STETH, field)+part), word(name+"_of_read", wordOf(read, spec.STETH, field)+part)))
	}
	before := m.Let("octets_before", hdl.Cat(index.At(messageRead), hdl.Zero(block.IndexWidth(c.MaxPayload))))
	sum := func(name string, v hdl.Value) *block.Signal {
		return pipe.Signal(name, messageRead, v.Add(before.ZeroExtend(64)))
	}
	va := sum("made_va", hdl.Cat(word("va_high", wordOf(read, spec.RETH, "va")), word("va_low", wordOf(read, spec.RETH, "va")+1)))
	sink := sum("made_sink", hdl.Cat(either("sink_high", "va", 0), either("sink_low", "va", 1)))
	address, offset := sum("made_address", held.Address), pipe.Holds("made_offset", messageRead, before)
	key := pipe.Holds("made_key", messageRead, either("sink_key", "l_key", 0))
	rsn := pipe.Signal("made_rsn", messageRead, sn.At(messageRead).Add(setting.Ahead))
	remote := pipe.Holds("made_remote", messageRead, setting.Remote)
	isOnly := m.Let("is_only", pull.At(messageRead).Or(index.At(messageRead).IsZero()))
	operation := pipe.Signal("made_operation", messageRead, hdl.Mux(ends.At(messageRead).Or(pull.At(messageRead)), hdl.Mux(isOnly, held.Only, held.Ends),
		hdl.Mux(isOnly, held.Begins, held.Inside)))
	headerOctets := pipe.Signal("made_header_octets", messageRead, hdl.Mux(ends.At(messageRead).Or(pull.At(messageRead)), held.Octets, held.Ahead))
	header := pipe.Holds("made_header", messageRead, network)
	list, opens := pipe.Holds("made_list", messageRead, held.List), pipe.Signal("opens_message", messageRead, index.At(messageRead).IsZero())
	some := pipe.Signal("made_some", messageRead, octets.At(messageRead).Any())
	places, isAtomic := pipe.Holds("made_places", messageRead, held.Places), pipe.Holds("made_atomic", messageRead, held.Kinds.Atomic)
	m.Unused("of no use here", held.Kinds.Read, held.Kinds.Write)

	m.Section("Its headers")
	at := func(s *block.Signal) hdl.Value { return s.At(advanced) }
	for i := range words {
		top := 8*HeaderOctets - 1 - 32*i
		words[i] = at(header).Slice(top, top-31)
	}
	m.Unused("replaced, at least in part", hdl.Cat(words[:spec.RBTH.Octets()/4]...))
	pad := m.Let("made_pad", hdl.Const(2, 0).Sub(at(octets).Truncate(2)).And(at(pull).Not().Replicate(2)))
	table := spec.RBTH.Table(profileOf(c).Order)
	put := func(name string, value hdl.Value) {
		f := table.MustField(name)
		i, from := f.Offset/32, 31-f.Offset%32
		words[i] = replaced(words[i], from, from-f.Width+1, value)
	}
	se := table.MustField("se")
	solicited := hdl.AllOf(words[se.Offset/32].Bit(31-se.Offset%32), at(ends), at(numbered))
	code := table.MustField("opcode")
	service := words[code.Offset/32].Slice(31-code.Offset%32, 31-code.Offset%32-(spec.OpcodeBits-operationBits)+1)
	put("ce", at(ce))
	put("pad", pad)
	put("se", m.Let("is_solicited", solicited))
	put("opcode", hdl.Cat(service, at(operation)))
	m.Note("The message of a datagram has the number of the peer's QP, that of another one 0.")
	to := table.MustField("destination_qp")
	put("destination_qp", at(remote).Or(words[to.Offset/32].Slice(31-to.Offset%32, 31-to.Offset%32-to.Width+1)))
	put("sn", at(sn))
	values := map[string]hdl.Value{"va_high": at(va).Slice(63, 32), "va_low": at(va).Truncate(32), "length": at(octets).ZeroExtend(32), "rmsn": at(rmsn), "offset": at(offset),
		"sink_high": at(sink).Slice(63, 32), "sink_low": at(sink).Truncate(32)}
	for i := range words {
		var choices []hdl.When
		for n, p := range placedWords() {
			if p.word != i {
				continue
			}
			has := at(places).Bit(n)
			switch p.what {
			case "suffix":
				choices = append(choices, hdl.When{Cond: has, Then: words[i].And(at(ends).Replicate(32))})
			case "last_rmsn":
				choices = append(choices, hdl.When{Cond: has, Then: at(rmsn).And(at(ends).Replicate(32))})
			default:
				choices = append(choices, hdl.When{Cond: has, Then: values[p.what]})
			}
		}
		words[i] = m.Let(fmt.Sprintf("word_%d", i), hdl.Select(words[i], choices...))
	}
	pullPlace := pipe.Holds("made_place", advanced, at(rmsn).Truncate(pullBits(c)))
	octetsOut := pipe.Holds("header", advanced, hdl.Cat(words...))

	m.Section("It leaves; its transaction is known before")
	at = func(s *block.Signal) hdl.Value { return s.At(assembled) }
	m.Drive(u.p.Open, pipe.Valid(assembled))
	m.Drive(u.p.Opened, hdl.Pack(opened{CID: at(cid), RSN: at(rsn), Owner: owner{RSN: at(rsn), Stream: at(stream), Number: at(number), Pull: at(pull), Place: at(pullPlace)},
		Expect: expect{SN: at(sn), Atomic: at(isAtomic), SinkVA: at(sink), LKey: at(key), Length: at(octets).ZeroExtend(lengthBits)}}))
	kind := hdl.Mux(at(pull), hdl.Const(typeBits, uint64(spec.PullRequest)), hdl.Const(typeBits, uint64(spec.PushRequest)))
	packets.Drive(u.pipe.Valid(0), u.pipe.Valid(admitted).And(goes.Not()), pipe.Valid(assembled), engine.TxMessage{
		Stream: at(stream), Kind: hdl.Const(c.Kinds().SendBits(), engine.KindMessage), Number: hdl.Zero(engine.NumberBits(c)),
		HeaderLength: at(headerOctets), Header: at(octetsOut).ReverseOctets(), Address: at(address),
		Length: at(octets).And(at(pull).Not().Replicate(payloadBits(c))).ZeroExtend(32),
		Tag: &Sent{Type: kind, CID: at(cid), RSN: at(rsn), Length: hdl.Cat(at(total), hdl.Zero(2)), Fence: hdl.Zero(1), Unfit: hdl.Zero(1), RefusedWork: hdl.Zero(1), First: at(opens), More: hdl.Zero(1),
			List: at(list).And(at(some)), Element: at(element).ZeroExtend(elementBits)}})
	pipe.Close()
}

// replaced is v with other bits from hi down to lo.
func replaced(v hdl.Value, hi, lo int, bits hdl.Value) hdl.Value {
	parts := []hdl.Value{bits}
	if hi < v.Width()-1 {
		parts = append([]hdl.Value{v.Slice(v.Width()-1, hi+1)}, parts...)
	}
	if lo > 0 {
		parts = append(parts, v.Slice(lo-1, 0))
	}
	return hdl.Cat(parts...)
}
