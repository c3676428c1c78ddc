package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// message is the state of a QP's messages.
type message struct {
	Send    hdl.Value // a Send is open
	Write   hdl.Value // a Write is open
	Octets  hdl.Value // of the open Send
	Refused hdl.Value // a request since the latest Write began (I-103)
	Status  hdl.Value // of the next receive: the first error in the order of SN
	RMSN    hdl.Value `hdl:"rmsn"` // of the next receive of a weakly ordered QP
	Stopped hdl.Value // nothing completes any more
	Place   hdl.Value // latest placement
}

// rmsnBits are the low bits of an RMSN that are kept: a receive with an RMSN is posted when the packet arrives, and no more receives than parts that
// wait are used until it has its turn.
const rmsnBits = 16

func messageOf() message {
	bit := hdl.Bits(1)
	return message{Send: bit, Write: bit, Octets: hdl.Bits(32), Refused: bit, Status: hdl.Bits(statusBits), RMSN: hdl.Bits(rmsnBits), Stopped: bit, Place: hdl.Bits(engine.PlacementBits)}
}

func noMessage() message {
	none := hdl.Unpack(messageOf(), hdl.Zero(hdl.PackedWidth(messageOf())))
	none.RMSN = hdl.Const(rmsnBits, 1)
	return none
}

// effect is what a part causes.
type effect struct {
	completes *block.Signal // its receive completes
	succeeds  *block.Signal // with success
	status    *block.Signal
	octets    *block.Signal // of the message
	releases  *block.Signal // an Atomic
	fails     *block.Signal // the QP
	skips     *block.Signal // because of RMSN
	beyond    *block.Signal // because of SN
	misplaced *block.Signal // because it does not continue the message
	used      *block.Signal // of the receive that a weakly ordered QP uses, the low bits of RMSN
	uses      *block.Signal // it does
	place     *block.Signal // latest placement
	part      *block.Signal // receipt
}

// receipt is what the completion of a receive says of the message's last part.
type receipt struct {
	Send      hdl.Value
	ID        hdl.Value
	Opcode    hdl.Value
	Word      hdl.Value
	Solicited hdl.Value
	Revokes   hdl.Value
}

func receiptOf(q arrivedPart) receipt {
	return receipt{Send: q.Send, ID: q.ID, Opcode: q.Opcode, Word: q.Word, Solicited: q.Solicited, Revokes: q.Revokes}
}

// messages adds the part to its message, and says what follows.
func (u *scoreboard) messages(t turn, of partTaken) effect {
	m, c, pipe, d := u.Module, u.c, u.pipe, u.p.Arrival.Data.Delivery
	at := func(s *block.Signal) hdl.Value { return s.At(messageKnown) }
	then := func(name string, v hdl.Value) *block.Signal { return pipe.Signal(name, messageKnown, v) }
	m.Section("The part continues the open message of its QP, or starts one")
	words := block.NewContext(m, "message", hdl.Pack(noMessage()), u.sweep).Stage(pipe, turnKnown, u.stream)
	now := hdl.LetOf(m, "open", hdl.Unpack(messageOf(), words.Now))
	q := hdl.Unpack(arrivedPartOf(c), at(of.part))
	isWeak := at(pipe.Signal("part_is_weak", turnKnown, t.stored.At(turnKnown).Or(u.weak.At(turnKnown))))
	runs := m.Let("is_running", pipe.Valid(messageKnown).And(now.Stopped.Not()))
	adds := m.Let("adds", at(of.some).And(runs))
	ends := at(pipe.Signal("ends_qp", 0, u.packet.At(0).And(d.Kind.Bit(engine.DeliverEnd).Or(d.Kind.Bit(engine.DeliverClose)))))
	pushes := m.Let("is_push", q.Send.Or(q.Write))
	follows := m.Let("follows", hdl.Mux(q.Starts, now.Send.Or(now.Write).Not(), now.Send.And(q.Send).Or(now.Write.And(q.Write))))
	misplaced := m.Let("is_misplaced", hdl.AllOf(isWeak, pushes, follows.Not()))
	before := m.Let("octets_before", now.Octets.And(q.Starts.Not().Replicate(32)))
	octets := then("octets", before.Add(q.Octets.ZeroExtend(32)))
	lacks := m.Let("lacks_octets", hdl.AllOf(isWeak, q.Send, q.Offset.Ne(before)))
	skips := then("skips_rmsn", hdl.AllOf(isWeak, q.Receives, q.RMSN.Ne(now.RMSN)))
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
	done := m.Let("is_done", hdl.Mux(ends, had.Or(brings), q.Ends.Or(q.Verbs.And(incomplete))))
	completes := then("completes", hdl.AllOf(adds, q.Receives, at(skips).Not(), misplaced.Not(), done))
	uses := then("uses_receive", at(completes).And(isWeak))
	left := m.Let("status_left", found.And(at(completes).Not().Replicate(statusBits)))
	place := then("latest_place", hdl.Mux(at(u.packet), at(pipe.Holds("place", 0, d.Place)), now.Place))
	stops := m.Let("stops", at(of.some).And(at(skips).Or(wrong)))
	opens := m.Let("opens_message", adds.And(pushes))
	words.Decide(m, hdl.Mux(at(u.opens), hdl.Pack(noMessage()), hdl.Pack(message{
		Send:    hdl.Mux(opens, q.Send.And(q.Ends.Not()), now.Send),
		Write:   hdl.Mux(opens, q.Write.And(q.Ends.Not()), now.Write),
		Octets:  hdl.Mux(adds.And(q.Send), at(octets), now.Octets),
		Refused: hdl.Mux(adds, refused, now.Refused),
		Status:  hdl.Mux(adds, left, now.Status),
		RMSN:    hdl.Mux(at(completes), m.Let("rmsn_behind", now.RMSN.Plus(1)), now.RMSN),
		Stopped: hdl.AnyOf(now.Stopped, ends, at(t.beyond), stops),
		Place:   at(place)})))
	return effect{completes: completes, succeeds: then("succeeds", sound.And(lacks.Not())),
		status: then("status", found), octets: octets, misplaced: pipe.Holds("is_misplaced", messageKnown, misplaced),
		releases: then("releases", adds.And(q.Waits)), fails: fails, skips: skips, beyond: beyond, used: pipe.Signal("used_receive", messageKnown, now.RMSN.Truncate(countBits(c))),
		uses: uses, place: place, part: pipe.Holds("receipt", messageKnown, hdl.Pack(receiptOf(q)))}
}
