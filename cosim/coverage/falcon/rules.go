package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Rule excludes impossible combinations.
type Rule struct {
	Why      string
	Excludes func(p Packet) bool
}

// Rules lists the rules; a combination not excluded by any of them is a bin.
var Rules = []Rule{
	{"Each rule can be broken only by some operations, those of responses only by responses.", func(p Packet) bool {
		return p.row() != nil && !canBreak(p.row(), p.Error)
	}},
	{"A packet that ends inside RBTH belongs to no QP; a response belongs to a transaction all the same.", func(p Packet) bool {
		return (p.Opcode == shortRequest) != (p.Error == spec.ShortPacket) ||
			p.Opcode == shortResponse && p.Error != spec.NotOutstanding && p.Error != spec.ResponseShort
	}},
	{"A request without an operation of its QP is refused by the check of the opcode at the latest.", func(p Packet) bool {
		return p.Opcode == foreignRequest && (p.Error < spec.UnknownQP || p.Error > spec.BadOpcode)
	}},
	{"A response without an operation of its QP belongs to no transaction, ends one with CE, or is wrong.", func(p Packet) bool {
		return p.Opcode == foreignResponse && !slices.Contains([]spec.Rule{spec.UnknownQP, spec.WrongCID, spec.NotOutstanding, spec.ResponseWrong, spec.ResponseCE}, p.Error)
	}},
	{"Only on a weakly ordered QP is something found later, in the order of SN.", func(p Packet) bool {
		return p.Opcode == found && (p.Ordering != spec.Weak.String() || !slices.Contains(later, p.Error) || p.Length != none)
	}},
	{"A rule that is broken before the QP is known has no mode, others have one.", func(p Packet) bool {
		return isNameless(p.Error) != (p.Ordering == none) || isNameless(p.Error) != (p.Errors == none)
	}},
	{"An unordered QP has no Verbs compatible errors.", func(p Packet) bool {
		return p.Ordering == spec.Unordered.String() && p.Errors == spec.Verbs.String()
	}},
	{"Exactly an operation that the ordering mode does not have is a bad opcode.", func(p Packet) bool {
		lacks := p.Ordering == spec.Unordered.String() && p.has(func(o *spec.Operation) bool { return !o.Orderings.Has(spec.Unordered) })
		return p.row() != nil && (p.Error == spec.BadOpcode && !lacks || p.Error > spec.BadOpcode && lacks || p.Error == spec.None && lacks)
	}},
	{"SNs of an unordered QP are not checked, and it has no order in which anything is out of place.", func(p Packet) bool {
		return p.Ordering == spec.Unordered.String() && slices.Contains([]spec.Rule{spec.SNGap, spec.SNRepeated, spec.OutOfPlace}, p.Error)
	}},
	{"Of a weakly ordered QP the place of a packet is known only in the order of SN.", func(p Packet) bool {
		return p.Opcode != found && p.Ordering == spec.Weak.String() && p.Error == spec.OutOfPlace
	}},
	{"Only on a strongly ordered QP do requests wait after an RNR; datagrams get none.", func(p Packet) bool {
		return p.Error == spec.BehindRNR && p.Ordering != spec.Strong.String()
	}},
	{"On a strongly ordered QP the first packet of a Send takes its receive: the others never lack one.", func(p Packet) bool {
		return p.Error == spec.NoReceive && p.Ordering == spec.Strong.String() && p.has(isLaterOfSend)
	}},
	{"On a strongly ordered QP the first packet of a Send names its queue: with Verbs compatible errors none follows one that is unknown.", func(p Packet) bool {
		return p.Error == spec.UnknownSRQ && p.Ordering == spec.Strong.String() && p.Errors == spec.Verbs.String() && p.has(isLaterOfSend)
	}},
	{"Length is a property of a packet that breaks no rule, or one about its octets.", func(p Packet) bool {
		return (p.Length != none) != measured(p)
	}},
	{"The end of a message in error breaks no rule about its octets.", func(p Packet) bool {
		return p.Length == inBand && (p.Error != spec.None || p.has(func(o *spec.Operation) bool { return o.Packet != spec.PushRequest || o.Position&spec.Ends == 0 }))
	}},
	{"First and Middle have one MTU, Last has payload; otherwise the payload is wrong.", func(p Packet) bool {
		whole := p.has(func(o *spec.Operation) bool { return o.Packet == spec.PushRequest && o.Position&spec.Whole != 0 })
		last := p.has(func(o *spec.Operation) bool { return o.Packet == spec.PushRequest && o.Position == spec.Last })
		return p.Error != spec.BadPayload && (whole && p.Length != full || last && p.Length == empty) && p.Length != none
	}},
	{"Payload of one MTU is wrong only with pad, in First and Middle.", func(p Packet) bool {
		return p.Error == spec.BadPayload && p.Length == full && p.has(func(o *spec.Operation) bool { return o.Position&spec.Whole == 0 })
	}},
	{"More than one MTU is wrong as payload, and as the length of a Read.", func(p Packet) bool {
		read := p.Error == spec.BadLength && p.has(func(o *spec.Operation) bool { return o.Kind == spec.Read })
		return p.Length == above && p.Error != spec.BadPayload && !read || read && p.Length != above
	}},
	{"An access without octets is not checked.", func(p Packet) bool {
		return p.Length == empty && slices.Contains(ofOctets, p.Error)
	}},
}

// isLaterOfSend reports whether another packet of the Send precedes it.
func isLaterOfSend(o *spec.Operation) bool {
	return o.Kind == spec.Send && o.Position&spec.Starts == 0
}

// measured reports whether a packet has a length class. Pulls of 8 octets, and octets after the headers of a pull, have none.
func measured(p Packet) bool {
	o := p.row()
	switch {
	case o == nil, o.Kind&spec.Atomic != 0, p.Error == spec.BadPayload && o.Packet == spec.PullRequest:
		return false
	case p.Error == spec.None, p.Error == spec.CannotInvalidate:
		return true
	}
	return p.Error >= spec.BadPayload && p.Error <= spec.OutOfBounds
}
