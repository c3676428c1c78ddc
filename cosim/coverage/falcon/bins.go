package falcon

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Packet is a functional bin.
type Packet struct {
	Opcode   string    `json:"opcode"`
	Error    spec.Rule `json:"error"`    // that it breaks
	Ordering string    `json:"ordering"` // mode of its QP
	Errors   string    `json:"errors"`   // the same
	Length   string    `json:"length"`   // octets of payload; of a Read Request, octets requested
}

func (p Packet) String() string {
	return fmt.Sprintf("%s, error %v, %s, %s, length %s", p.Opcode, p.Error, p.Ordering, p.Errors, p.Length)
}

const none = "none"

// Packets without an operation. A foreign one has an opcode that is reserved, of another service than its QP, or of another type of packet.
const (
	shortRequest    = "short request" // ends inside RBTH
	foreignRequest  = "foreign request"
	shortResponse   = "short response"
	foreignResponse = "foreign response"
	found           = "found in the order of SN" // an error of what was accepted before
)

// Classes of lengths: with the payload of one MTU, less or more, and the end of a message in error, whose payload counts for nothing.
const (
	empty  = "0"
	below  = "below MTU"
	full   = "MTU"
	above  = "above MTU"
	inBand = "CE"
)

// The classes of each property.
var (
	Opcodes = func() (list []string) {
		for i := range spec.Operations {
			list = append(list, nameOf(&spec.Operations[i]))
		}
		return append(list, shortRequest, foreignRequest, shortResponse, foreignResponse, found)
	}()
	Orderings  = []string{none, spec.Strong.String(), spec.Weak.String(), spec.Unordered.String()}
	ErrorModes = []string{none, spec.Verbs.String(), spec.CompleteInError.String()}
	Lengths    = []string{none, empty, below, full, above, inBand}
)

func nameOf(o *spec.Operation) string { return o.Opcode.Service().String() + " " + o.Name }

// operations are the rows by name.
var operations = func() map[string]*spec.Operation {
	all := map[string]*spec.Operation{}
	for i := range spec.Operations {
		all[nameOf(&spec.Operations[i])] = &spec.Operations[i]
	}
	return all
}()

// row is that of the packet; nil if it has no operation.
func (p Packet) row() *spec.Operation { return operations[p.Opcode] }

func (p Packet) has(f func(o *spec.Operation) bool) bool { return p.row() != nil && f(p.row()) }

func (p Packet) isResponse() bool {
	return p.Opcode == shortResponse || p.Opcode == foreignResponse || p.has(func(o *spec.Operation) bool { return o.Packet == spec.PullData })
}

// isNameless reports whether the rule is broken before the QP is known, so that there is no mode.
func isNameless(r spec.Rule) bool {
	return slices.Contains([]spec.Rule{spec.ShortPacket, spec.UnknownQP, spec.WrongCID, spec.NotOutstanding}, r)
}

// ofOctets lists the rules that only octets can break.
var ofOctets = []spec.Rule{spec.TooLong, spec.ReceiveBuffer, spec.RKeyUnknown, spec.RKeyOwner, spec.RKeyRight, spec.VAWrap, spec.OutOfBounds}

// later lists the rules that can be found broken in the order of SN, when nothing can be returned to Falcon. Hardware checks of a region of an Atomic
// that waited only its key.
var later = []spec.Rule{spec.OutOfPlace, spec.BadRMSN, spec.Incomplete, spec.RKeyUnknown}

// canBreak reports whether a packet of an operation can break a rule.
func canBreak(o *spec.Operation, r spec.Rule) bool {
	response, pull, datagram := o.Packet == spec.PullData, o.Packet == spec.PullRequest, o.Opcode.Service() == spec.UD
	switch r {
	case spec.None, spec.UnknownQP:
		return true
	case spec.WrongCID:
		return !datagram
	case spec.NotOutstanding, spec.ResponseShort, spec.ResponseWrong, spec.ResponseCE, spec.ResponseSink, spec.ResponseLength, spec.SinkBuffer:
		return response
	case spec.ShortPacket, spec.Incomplete:
		return false
	}
	if response {
		return false
	}
	switch r {
	case spec.NoIRRQ:
		return pull
	case spec.BehindRNR, spec.SNGap, spec.SNRepeated, spec.OutOfPlace:
		return !datagram
	case spec.BadQKey:
		return datagram
	case spec.BadRMSN:
		return o.Has(spec.SETH)
	case spec.UnknownSRQ:
		return o.Has(spec.XRCETH) && o.Receives()
	case spec.NoReceive:
		return o.Receives()
	case spec.BadLength:
		return o.Has(spec.RETH)
	case spec.BadOffset:
		return o.Has(spec.OETH)
	case spec.TooLong, spec.ReceiveBuffer:
		return o.Kind == spec.Send
	case spec.RKeyUnknown, spec.RKeyOwner, spec.RKeyRight, spec.VAWrap, spec.OutOfBounds:
		return o.Kind != spec.Send
	case spec.Misaligned:
		return o.Kind&spec.Atomic != 0
	case spec.CannotInvalidate:
		return o.Suffix == spec.Invalidate
	}
	return true
}

// Bins lists the possible combinations, and counts the others by the first rule that excludes them.
func Bins() (possible []Packet, excluded []int) {
	excluded = make([]int, len(Rules))
	for _, op := range Opcodes {
		for r := range spec.Rules {
			for _, ordering := range Orderings {
				for _, mode := range ErrorModes {
					for _, length := range Lengths {
						p := Packet{op, spec.Rule(r), ordering, mode, length}
						if i := slices.IndexFunc(Rules, func(r Rule) bool { return r.Excludes(p) }); i >= 0 {
							excluded[i]++
						} else {
							possible = append(possible, p)
						}
					}
				}
			}
		}
	}
	return possible, excluded
}
