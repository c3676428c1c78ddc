package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
)

// checkTarget is the memory that a packet accesses, and what says so.
type checkTarget struct {
	offset     *block.Signal    // Message Offset, of packets that have one
	before     *block.Signal    // the same, 0 of a datagram
	receive    engine.RingEntry // in stage checkFound
	asked      Expected         // in stage checkFound: the open pull of a response
	id         *block.Signal    // of the receive
	index, key *block.Signal    // of the region: index and key of its STag
	reaches    *block.Signal    // it accesses memory
	word       *block.Signal    // index of the R-Key in IETH
	revoked    hdl.Value        // packed row of the R-Key in IETH, in stage checkLooked
	refused    *block.Signal    // the receive does not allow the access
	memory.AccessFaults
}

// find looks up the receive of a message, the open pull of a response, and the region that either or the header names.
func (k *check) find() {
	m, p, c, is := k.m, k.p, k.c, k.is
	h := k.record.Header
	f := &k.found
	m.Section("The open pull of a response, and the receive of a message")
	m.Drive(p.Asked.Enable, k.pipe.Valid(checkTaken))
	m.Drive(p.Asked.CID, k.record.Transaction.CID)
	m.Drive(p.Asked.RSN, k.record.Transaction.RSN)
	f.asked = hdl.LetOf(m, "asked", hdl.Unpack(ExpectedOf(c), k.holds("asked_entry", checkTaken+1, p.Asked.Entry.Value).At(checkFound)))
	m.Drive(p.Ring.Enable, k.pipe.Valid(checkTakes))
	m.Drive(p.Ring.Stream, k.stream.At(checkTakes))
	m.Drive(p.Ring.Slot, k.state.slot.At(checkTakes))
	m.Unused("read by itself before", p.Ring.Posted.Value)
	entryOf, queue := k.takeShared(p.Ring.Entry.Value)
	received := k.signal("receive_entry", checkTakes+1, entryOf)
	k.parts.queue = k.holds("receive_queue", checkTakes+1, queue)
	f.receive = hdl.LetOf(m, "receive", hdl.Unpack(engine.ListedEntryOf(c), received.At(checkFound)))
	f.id = k.holds("receive_id", checkFound, f.receive.ID).Later(checkLeaving)

	f.offset = k.holds("message_offset", checkTaken, h.Offset)
	f.before = k.signal("octets_before", checkCounted, f.offset.At(checkCounted).And(k.set.ud.At(checkCounted).Not().Replicate(32)))
	w := &k.parts
	k.walk()

	m.Section("Region: of the receive, of the sink of a pull, or the one in the header")
	at := func(v *block.Signal) hdl.Value { return v.At(checkFound) }
	choose := func(header, receive, sink hdl.Value) hdl.Value {
		return hdl.Select(header, hdl.When{Cond: at(is.data), Then: sink}, hdl.When{Cond: at(is.send), Then: receive})
	}
	rkey, va := k.holds("r_key", checkTaken, h.RKey), k.holds("va", checkTaken, h.VA)
	listed := at(w.list)
	key := m.Let("region_key", choose(at(rkey), hdl.Mux(listed, w.key, f.receive.Buffer.STag), f.asked.LKey))
	f.index, f.key = k.signal("region_row", checkFound, key.Slice(31, 8)), k.holds("region_key_octet", checkFound, key.Truncate(8))
	m.Drive(p.Region.Enable, m.Let("looks_up_region", k.pipe.Valid(checkFound).Or(w.going(checkFound))))
	m.Drive(p.Region.Index, at(f.index))
	f.word = k.holds("revoked_index", checkTaken, h.Word.Slice(31, 8))
	m.Drive(p.Invalidated.Enable, k.pipe.Valid(checkFound))
	m.Drive(p.Invalidated.Index, at(f.word))
	to := k.signal("region_va", checkFound, choose(at(va), hdl.Mux(listed, w.va, f.receive.Buffer.TO.Add(at(f.before).ZeroExtend(64))), f.asked.SinkVA))
	octets := k.signal("octets", checkTaken, hdl.Select(k.record.PayloadLength, hdl.When{Cond: is.pull.At(checkTaken).And(is.read.At(checkTaken)), Then: h.Length.Truncate(lengthBits)},
		hdl.When{Cond: is.atomic.At(checkTaken), Then: hdl.Const(lengthBits, 8)}))
	length := k.signal("region_length", checkFound, hdl.Mux(listed, w.octets, at(octets)).ZeroExtend(32))
	f.reaches = k.signal("reaches_memory", checkFound, at(octets).Any().And(at(is.errs).Not()))
	end := k.signal("region_end", checkFound+1, to.At(checkFound+1).ZeroExtend(65).Add(length.At(checkFound+1).ZeroExtend(65)))

	entry := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(c), k.holds("row", checkFound+1, p.Region.Entry.Value).At(checkLooked)))
	m.Unused("rights for other uses of the region", entry.Rights.LocalRead, entry.Rights.Invalidate)
	access := memory.NewRegionAccess(k.pipe, checkLooked, entry, to, length, f.reaches)
	check := memory.STagCheck(entry, f.key.At(checkLooked), k.stream.At(checkLooked), k.holds("domain", checkCounted, k.state.Domain).At(checkLooked))
	then := func(v *block.Signal, right hdl.Value) hdl.When { return hdl.When{Cond: v.At(checkLooked), Then: right} }
	right := m.Let("has_right", hdl.Select(entry.Rights.LocalWrite, then(is.data, entry.Rights.LocalWrite), then(is.write, entry.Rights.RemoteWrite),
		then(is.read, entry.Rights.RemoteRead), then(is.atomic, entry.Rights.RemoteAtomic)))
	f.AccessFaults = access.Faults(check, right, end)
	f.refused = w.any(k, "receive_is_refused", checkLooked+1, f.Any.At(checkLooked+1))
	w.leave(k)
	f.revoked = k.holds("revoked_row", checkFound+1, p.Invalidated.Entry.Value).At(checkLooked)
}
