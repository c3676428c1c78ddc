package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// PayloadPart is the part of a packet's payload that goes to one element of a receive.
type PayloadPart struct {
	Address hdl.Value `doc:"of its first octet in memory; undefined if the packet is refused"`
	Length  hdl.Value `doc:"octets, at least 1"`
	Last    hdl.Value `doc:"1: of the packet"`
}

// PayloadPartOf is the prototype.
func PayloadPartOf() PayloadPart {
	return PayloadPart{Address: hdl.Bits(64), Length: hdl.Bits(lengthBits), Last: hdl.Bits(1)}
}

// partsAhead is how many parts are kept until it is decided on their packet: it has no more.
func partsAhead(c engine.Config) int {
	return max(16, min(c.ReceiveDepth, 1<<block.IndexWidth(c.MaxPayload)))
}

// Steps of the walk over the elements of a receive: a bit each.
const (
	walkIdle    = iota // the packet that waits has no list, or none waits; else the first element is read
	walkElement        // what the packet leaves of the element; the next one is read
	walkMeasure        // what of the packet goes there
	walkPart           // if anything, it goes through the pipeline

	partSteps = iota
)

// checkParts are the parts of a packet for a receive of several elements. Each passes the stages that look up and check a region; the packet itself is an
// item of the pipeline together with the last one.
type checkParts struct {
	queue  *block.Signal // of a shared receive: number of the queue
	use    *block.Signal // packed ListUse
	list   *block.Signal // the packet has parts, from checkFound on
	key    hdl.Value     // in stage checkFound, of the part: L-Key
	va     hdl.Value
	octets hdl.Value
	first  *block.Signal
	last   *block.Signal
	goes   []hdl.Value // from checkFound on: a part is in the stage
	out    block.Reserved[PayloadPart]
}

// walk walks over the elements of the list of the packet that waits in front of checkFound, from the first one on to where its octets go.
func (k *check) walk() {
	m, p, c, gate := k.m, k.p, k.c, k.gate
	f, w := &k.found, &k.parts
	m.Section("Parts of a packet for a receive with a list of elements: a walk over these")
	list, place := f.receive.List.(*engine.ReceiveList), block.IndexWidth(c.ReceiveDepth)
	w.list = k.signal("has_list", checkFound, k.hasOctets().At(checkFound).And(list.Is))
	w.out = block.NewWideReserved(m, "parts", partsAhead(c), PayloadPartOf(), p.Part)
	step := m.Reg("walk_q", partSteps, hdl.ResetTo(1<<walkIdle))
	to := func(n int) hdl.Stmt { return step.Set(hdl.Const(partSteps, 1<<n)) }
	is := func(name string, n int) hdl.Value { return m.Let(name, step.Bit(n)) }
	idle, looks, measures, sends := is("walk_is_idle", walkIdle), is("looks_at_element", walkElement), is("measures_part", walkMeasure), is("has_part", walkPart)
	begins := m.Let("walk_begins", hdl.AllOf(idle, gate.Waits, w.list.At(checkFound)))
	reg := func(name string, width int) hdl.Reg { return m.Reg(name+"_q", width, hdl.NoReset) }
	at, skip, left := reg("element_place", place), reg("octets_to_skip", 32), reg("octets_left", lengthBits)
	past, skipped, rest, final := reg("is_past_element", 1), reg("octets_to_skip_behind", 32), reg("element_rest", 32), reg("is_final_element", 1)
	key, va, octets, last, first := reg("part_key", 32), reg("part_va", 64), reg("part_octets", lengthBits), reg("part_is_last", 1), reg("part_is_first", 1)
	shares, reads := k.shared.shares.At(checkFound), m.Let("reads_element", begins.Or(looks))
	readPlace := m.Let("read_place", hdl.Mux(idle, list.First, at.Plus(1)))
	lookUp := func(e engine.ElementLookup, enable, stream hdl.Value) hdl.Value {
		m.Drive(e.Enable, reads.And(enable))
		m.Drive(e.Stream, stream)
		m.Drive(e.Place, readPlace)
		return e.Entry.Value
	}
	own, shared := lookUp(p.Elements, shares.Not(), k.stream.At(checkFound)), lookUp(p.SharedElements, shares, w.queue.At(checkFound))
	element := hdl.LetOf(m, "element", hdl.Unpack(engine.ListElementOf(), m.Let("element_read", hdl.Mux(shares, shared, own))))
	w.use = k.holds("list_use", checkFound, hdl.Pack(ListUse{shares.And(list.Is), w.queue.At(checkFound), list.First}))
	beyond := m.Let("octets_beyond", skip.ZeroExtend(33).Sub(element.Length.ZeroExtend(33)))
	enough := m.Let("is_enough", rest.Slice(31, lengthBits).Any().Or(left.Le(rest.Truncate(lengthBits))))
	m.Note("A packet that is too long for the list ends with its last element: it is refused.")
	ends := m.Let("is_last_part", enough.And(past.Not()).Or(final.Value))
	goes := m.Let("part_goes", sends.And(w.out.Room))
	m.OnClock(
		hdl.If(begins, to(walkElement), at.Set(list.First), skip.Set(f.before.At(checkFound)), left.Set(k.is.octets.At(checkFound)), first.Set(hdl.Ones(1))),
		hdl.If(looks, to(walkMeasure), past.Set(beyond.Bit(32).Not()), skipped.Set(beyond.Truncate(32)), rest.Set(element.Length.Sub(skip.Value)),
			va.Set(element.Buffer.TO.Add(skip.ZeroExtend(64))), key.Set(element.Buffer.STag), final.Set(at.Eq(list.Final))),
		hdl.If(measures, octets.Set(hdl.Mux(enough, left.Value, rest.Truncate(lengthBits))), last.Set(ends),
			hdl.If(past.And(final.Not()), to(walkElement), skip.Set(skipped.Value), at.Set(at.Plus(1))).Else(to(walkPart))),
		hdl.If(goes, hdl.If(last.Value, to(walkIdle)).Else(to(walkElement)), skip.Set(hdl.Zero(32)), left.Set(left.Sub(octets.Value)), at.Set(at.Plus(1)), first.Set(hdl.Zero(1))))
	gate.Pass(m.Let("packet_goes", gate.Waits.And(hdl.Mux(idle, w.list.At(checkFound).Not(), goes.And(last.Value)))))

	w.key, w.va, w.octets = key.Value, va.Value, octets.Value
	w.first, w.last = k.holds("first_part", checkFound, first.Value), k.holds("last_part", checkFound, last.Value)
	w.goes = []hdl.Value{goes}
	for s := checkFound + 1; s <= checkDecided; s++ {
		q := m.Reg(fmt.Sprintf("part_%d_q", s), 1, hdl.ResetTo(0))
		m.OnClock(q.Set(w.goes[len(w.goes)-1]))
		w.goes = append(w.goes, q.Value)
	}
}

// hasOctets is 1 if a packet has octets for a receive, and one is there. A packet that breaks an earlier rule needs no walk; one that follows an RNR has another
// SN than the next one.
func (k *check) hasOctets() *block.Signal {
	is, set, s := k.is, k.set, k.state
	at := func(v *block.Signal) hdl.Value { return v.At(checkTakes) }
	open, failed := k.holds("qp_is_open", checkCounted, s.Open), k.holds("qp_has_failed", checkCounted, s.Failed)
	sends := k.signal("has_octets_of_send", checkTaken, hdl.AllOf(is.push.At(checkTaken), is.send.At(checkTaken), is.errs.At(checkTaken).Not(), is.octets.At(checkTaken).Any()))
	wrong := hdl.AnyOf(at(set.dropped), at(failed), at(s.noReceive), at(k.shared.noQueue), at(s.wrongSN), at(s.outOfPlace), at(s.wrongMessage))
	return k.signal("has_octets_for_receive", checkTakes, hdl.AllOf(at(sends), at(open), at(set.addressed), wrong.Not()))
}

// going is 1 if a part is in a stage.
func (w *checkParts) going(stage int) hdl.Value { return w.goes[stage-checkFound] }

// any is 1 if the condition of an item was 1 for it or for a part before it, of the same packet. It is known in the stage.
func (w *checkParts) any(k *check, name string, stage int, condition hdl.Value) *block.Signal {
	m := k.m
	before := m.Reg(name+"_before_q", 1, hdl.NoReset)
	any := k.signal(name, stage, condition.Or(hdl.AllOf(w.list.At(stage), w.first.At(stage).Not(), before.Value)))
	m.OnClock(hdl.If(w.going(stage), before.Set(any.At(stage))))
	return any
}

// leave keeps the parts until it is decided on their packet.
func (w *checkParts) leave(k *check) {
	const known = checkLooked + 2
	octets := k.holds("part_length", checkFound, w.octets)
	at := func(s *block.Signal) hdl.Value { return s.At(known) }
	k.m.Section("Parts wait for their packet")
	w.out.Drive(w.going(checkFound), hdl.Value{}, w.going(known), PayloadPart{Address: at(k.found.Address), Length: at(octets), Last: at(w.last)})
}
