package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// message is the state of a QP's messages.
type message struct {
	Send     hdl.Value // a Send is open
	Write    hdl.Value // a Write is open
	Octets   hdl.Value // of the open Send
	Refused  hdl.Value // a request since the latest Write began (I-103)
	Status   hdl.Value // of the next receive: the first error in the order of SN
	Provided hdl.Value // the open Send has a receive
	RMSN     hdl.Value `hdl:"rmsn"` // of the next receive of a weakly ordered QP
	Stopped  hdl.Value // nothing completes any more
	Place    hdl.Value // latest placement
	Life     hdl.Value // of the QP
}

// rmsnBits are the low bits of an RMSN that are kept: a receive with an RMSN is posted when the packet arrives, and no more receives than parts that
// wait are used until it has its turn.
const rmsnBits = 16

func messageOf(c engine.Config) message {
	bit := hdl.Bits(1)
	return message{Send: bit, Write: bit, Octets: hdl.Bits(32), Refused: bit, Status: hdl.Bits(statusBits), Provided: bit, RMSN: hdl.Bits(rmsnBits), Stopped: bit, Place: hdl.Bits(engine.PlacementBits), Life: hdl.Bits(engine.NumberBits(c))}
}

func noMessage(c engine.Config) message {
	none := hdl.Unpack(messageOf(c), hdl.Zero(hdl.PackedWidth(messageOf(c))))
	none.RMSN = hdl.Const(rmsnBits, 1)
	return none
}

// effect is what a part causes.
type effect struct {
	completes *block.Signal // a receive completes
	uses      *block.Signal // of a weakly ordered QP, with its message
	succeeds  *block.Signal // with success
	status    *block.Signal
	octets    *block.Signal // of the message
	releases  *block.Signal // an Atomic
	refuses   *block.Signal // it is refused
	fails     *block.Signal // the QP
	skips     *block.Signal // because of RMSN
	beyond    *block.Signal // because of SN
	misplaced *block.Signal // because it does not continue the message
	life      *block.Signal // of the QP
	used      *block.Signal // of that receive the low bits of RMSN
	open      hdl.Value     // the receive of the open message, if the QP ends; in stage messageDone
	place     *block.Signal // latest placement
	part      *block.Signal // receipt
	flushed   flushed       // in stage messageDone
}

// receipt is what the completion of a receive says of the message's last part.
type receipt struct {
	Send      hdl.Value
	Receive   hdl.Value // packed
	Opcode    hdl.Value
	Word      hdl.Value
	Solicited hdl.Value
	Revokes   hdl.Value
}

func receiptOf(q arrivedPart) receipt {
	return receipt{Send: q.Send, Receive: q.receive(), Opcode: q.Opcode, Word: q.Word, Solicited: q.Solicited, Revokes: q.Revokes}
}

// messages adds the part to its message, and says what follows.
func (u *scoreboard) messages(t turn, of partTaken) effect {
	m, c, pipe, d := u.Module, u.c, u.pipe, u.p.Arrival.Data.Delivery
	at := func(s *block.Signal) hdl.Value { return s.At(messageKnown) }
	then := func(name string, v hdl.Value) *block.Signal { return pipe.Signal(name, messageKnown, v) }
	m.Section("The part continues the open message of its QP, or starts one")
	words := block.NewContext(m, "message", hdl.Pack(noMessage(c)), u.sweep).Stage(pipe, turnKnown, u.stream)
	now := hdl.LetOf(m, "open", hdl.Unpack(messageOf(c), words.Now))
	q := hdl.Unpack(arrivedPartOf(c), at(of.part))
	isOfWeak := pipe.Signal("part_is_weak", turnKnown, t.stored.At(turnKnown).Or(u.weak.At(turnKnown)))
	isWeak := at(isOfWeak)
	runs := m.Let("is_running", pipe.Valid(messageKnown).And(now.Stopped.Not()))
	adds := m.Let("adds", at(of.some).And(runs))
	fetched := hdl.Unpack(arrivedPartOf(c), of.part.At(partKnown))
	early := func(name string, v hdl.Value) hdl.Value { return at(pipe.Signal(name, partKnown, v)) }
	pushing := pipe.Signal("is_push", partKnown, fetched.Send.Or(fetched.Write))
	pushes, weakly := at(pushing), isOfWeak.At(partKnown)
	alone := early("stands_alone", weakly.And(fetched.Pull.Or(fetched.Starts.And(pushing.At(partKnown)))))
	inSend := early("is_inside_send", hdl.AllOf(weakly, fetched.Send, fetched.Starts.Not()))
	inWrite := early("is_inside_write", hdl.AllOf(weakly, fetched.Write, fetched.Starts.Not()))
	isInside := m.Let("is_inside", now.Send.Or(now.Write))
	misplaced := m.Let("is_misplaced", hdl.AnyOf(alone.And(isInside), inSend.And(now.Send.Not()), inWrite.And(now.Write.Not())))
	before := m.Let("octets_before", now.Octets.And(q.Starts.Not().Replicate(32)))
	octets := then("octets", before.Add(q.Octets.ZeroExtend(32)))
	m.Note("Whether the offset of a start is wrong is known a stage before.")
	starts := pipe.Signal("starts_behind_0", partKnown, fetched.Starts.And(fetched.Offset.Any()))
	elsewhere := m.Let("is_elsewhere", q.Starts.Not().And(q.Offset.Ne(now.Octets)))
	lacks := m.Let("lacks_octets", hdl.AllOf(isWeak, q.Send, at(starts).Or(elsewhere)))
	m.Unused("it is looked at a stage before", q.RMSN, q.Pull)
	m.Note("What stops the QP need not keep RMSN right.")
	advances := pipe.Signal("advances_rmsn", partKnown, hdl.AllOf(of.some.At(partKnown), fetched.Receives, fetched.Ends))
	skips := then("skips_rmsn", hdl.AllOf(isWeak, q.Receives, u.hasOtherRMSN(words, now, fetched.RMSN, at(advances))))
	refused := m.Let("has_refused", q.Refused.Or(now.Refused.And(q.Write.And(q.Starts).Not())))

	m.Section("The first error of its receive; does it complete?")
	length, peer := m.Constant("STATUS_LENGTH", statusBits, statusLength), m.Constant("STATUS_PEER", statusBits, statusPeer)
	had, brings := m.Let("had_error", now.Status.Any()), m.Let("brings_error", q.Receives.And(q.Status.Any()))
	tainted := m.Let("is_tainted", hdl.AllOf(q.Write, q.Receives, refused))
	sound := m.Let("was_sound", hdl.AnyOf(had, brings, tainted).Not())
	found := m.Let("found", hdl.Select(now.Status, hdl.When{Cond: had, Then: now.Status}, hdl.When{Cond: brings, Then: q.Status},
		hdl.When{Cond: tainted, Then: peer}, hdl.When{Cond: lacks, Then: length}))
	m.Note("Octets that are missing are found last; the receive of that message ends in error, in Verbs compatible mode at once with the QP.")
	incomplete := m.Let("is_incomplete", sound.And(lacks))
	wrong := m.Let("is_wrong", misplaced.Or(q.Verbs.And(incomplete)))
	beyond := then("ends_beyond", at(t.beyond).And(runs))
	fails := then("fails", at(beyond).Or(adds.And(at(skips).Or(wrong))))
	joins := m.Let("joins_message", hdl.AllOf(adds, at(skips).Not(), misplaced.Not()))
	completed := m.Let("ends_receive", q.Ends.Or(q.Verbs.And(incomplete)))
	over := m.Let("receive_is_over", hdl.AllOf(joins, q.Receives, completed))
	provided := m.Let("provided_left", hdl.Mux(q.Receives, q.Provided.And(completed.Not()), now.Provided))
	stays := hdl.Select(now.Status, hdl.When{Cond: had, Then: now.Status}, hdl.When{Cond: brings, Then: q.Status}, hdl.When{Cond: lacks.And(q.Verbs.Not()), Then: length})
	left := m.Let("status_left", stays.And(q.Receives.And(q.Ends).Not().Replicate(statusBits)))
	m.Note("With its QP ends a message that has an error; of others the receive is not used (I-103).")
	ends := at(u.ends)
	m.Note("So does an open Send that has taken its receive from a shared queue.")
	endsOpen := m.Let("ends_open_message", hdl.AllOf(ends, now.Provided, had.Or(at(u.shares))))
	flushed, whenOver := u.flush(t.flush, now.RMSN)
	flushes := at(flushed.some)
	isFlushed := m.Let("ends_flushed", flushes.Or(ends.And(had.Not())))
	provides := early("has_receive", fetched.Receives.And(fetched.Provided))
	completes := then("completes", hdl.AnyOf(hdl.AllOf(joins, provides, completed), endsOpen, flushes))
	whenOver(completes)
	isOver := pipe.Holds("receive_is_over", messageKnown, over)
	done := func(s *block.Signal) hdl.Value { return s.At(messageDone) }
	kept := m.Let("status_kept", now.Status.And(ends.Not().Replicate(statusBits)))
	receives := m.Memory("open_receives", q.receive().Width(), c.Streams)
	receives.Write(pipe.Valid(messageKnown).And(joins).And(q.Receives), at(u.stream), q.receive())
	place := then("latest_place", hdl.Mux(at(u.packet), at(pipe.Holds("place", 0, d.Place)), now.Place))
	m.Note("A part in error that ends its QP is the last one that takes effect; the end is on its way.")
	stops := m.Let("stops", at(of.some).And(hdl.AnyOf(at(skips), wrong, q.Verbs.And(q.Refused))))
	opens := m.Let("opens_message", adds.And(pushes))
	m.Note("An Atomic inside a message, or that gets its turn too late, is refused, too.")
	refuses := at(t.refuses)
	releases := m.Let("lets_atomic_go", refuses.Or(at(of.some).And(q.Waits)))
	begun := noMessage(c)
	life := then("life", hdl.Mux(at(u.opens), at(pipe.Holds("life_of_opening", 0, d.Request.Number)), now.Life))
	begun.Life = at(life)
	words.Decide(m, hdl.Mux(at(u.opens), hdl.Pack(begun), hdl.Pack(message{
		Send:     hdl.Mux(opens, q.Send.And(q.Ends.Not()), now.Send),
		Write:    hdl.Mux(opens, q.Write.And(q.Ends.Not()), now.Write),
		Octets:   hdl.Mux(adds.And(q.Send), at(octets), now.Octets),
		Refused:  hdl.Mux(adds, refused, now.Refused),
		Status:   hdl.Mux(joins, left, kept),
		RMSN:     hdl.Mux(at(advances), m.Let("rmsn_behind", now.RMSN.Plus(1)), now.RMSN),
		Stopped:  hdl.AnyOf(now.Stopped, ends, at(t.beyond), stops),
		Provided: hdl.Mux(joins, provided, now.Provided.And(ends.Not())),
		Place:    at(place),
		Life:     now.Life})))
	return effect{completes: completes, uses: pipe.Signal("uses_receive", messageDone, done(isOver).And(done(isOfWeak))), succeeds: then("succeeds", hdl.AllOf(sound, lacks.Not(), ends.Or(flushes).Not())),
		status: then("status", hdl.Mux(isFlushed, m.Constant("STATUS_FLUSHED", statusBits, statusFlushed), found)), flushed: flushed, octets: octets, misplaced: pipe.Holds("is_misplaced", messageKnown, misplaced),
		releases: then("releases", releases), refuses: then("refuses", releases.And(hdl.AnyOf(now.Stopped, refuses, misplaced))), fails: fails, skips: skips, beyond: beyond, life: life, used: pipe.Signal("used_receive", messageKnown, now.RMSN.Truncate(overBits(c))),
		open: receives.Read("open_receive_q", ends, at(u.stream), hdl.ReadOld), place: place, part: pipe.Holds("receipt", messageKnown, hdl.Pack(receiptOf(q)))}
}

// hasOtherRMSN is 1 if the RMSN of a part is not that of the next receive. It is compared while the part is fetched; advances is 1 if the part ahead of it
// ends a message.
func (u *scoreboard) hasOtherRMSN(words block.Stage, now message, rmsn, advances hdl.Value) hdl.Value {
	m := u.Module
	other := func(word hdl.Value) hdl.Value { return rmsn.Ne(hdl.Unpack(messageOf(u.c), word).RMSN) }
	ahead := hdl.Select(m.Let("differs_from_rmsn", rmsn.Ne(now.RMSN)), hdl.When{Cond: u.opens.At(messageKnown), Then: m.Let("differs_from_first_rmsn", rmsn.Ne(noMessage(u.c).RMSN))},
		hdl.When{Cond: advances, Then: m.Let("differs_from_rmsn_behind", rmsn.Ne(now.RMSN.Plus(1)))})
	return words.Early("has_other_rmsn", ahead, other)
}
