package rnic

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// What the extension commit adds to a device: draft-talpey-rdma-commit-01.

// commitOf is the register stag_commit for a region.
func commitOf(r memory.Region) (v uint32) {
	a := r.Attributes
	for bit, is := range []bool{r.Rights&memory.FlushPersistent != 0, r.Rights&memory.FlushVisible != 0, r.Rights&memory.Verifiable != 0,
		a.Read == memory.ReadNeeded || a.Read == memory.ReadIfReversible && a.Hash.Reversible()} {
		if is {
			v |= 1 << bit
		}
	}
	return v | uint32(a.Type)<<4 | uint32(a.Mode)<<6 | uint32(a.Hash)<<7
}

// setCommit fills what a Flush, Verify or Atomic Write has beside the octets that it names.
func (d *Device) setCommit(beat []uint64, w rdmap.WorkRequest) {
	if !spec.AllExtensions.Is(w.Opcode, spec.Committing) {
		return
	}
	l, c := &d.work, &w.Commit
	l.Set(beat, "invalidate_stag", uint64(c.Invalidate))
	switch classOf(w.Opcode) {
	case spec.FlushRequest:
		l.Set(beat, "atomic_opcode", uint64(c.Flags))
	case spec.VerifyRequest:
		code := uint64(c.Algorithm)
		if c.Compare {
			code |= 1 << 2
		}
		l.Set(beat, "atomic_opcode", code)
		for i, name := range []string{"atomic_data", "atomic_mask", "atomic_compare", "atomic_compare_mask"} {
			l.Set(beat, name, binary.BigEndian.Uint64(c.Hash[8*i:]))
		}
	case spec.AtomicWriteRequest:
		l.Set(beat, "atomic_data", c.Data)
	}
}

// classify decides whether a segment is valid by itself.
func (n *Node) classify(octets []byte) (wire.Segment, spec.Rule) {
	return wire.ClassifyWith(n.config.Protocol(), octets)
}

// isOf reports whether an opcode is in one of the classes, with all extensions: a device never sends one that it does not know.
func isOf(op spec.Opcode, c spec.Class) bool { return spec.AllExtensions.Is(op, c) }

// classOf is the class of an opcode, with all extensions.
func classOf(op spec.Opcode) spec.Class {
	row, _ := spec.AllExtensions.Operation(op)
	return row.Class
}

// modelCommit is the platform of the model: everything placed is visible at once.
func modelCommit(c gen.Config) rdmap.CommitConfig {
	if c.Protocol()&spec.Commit == 0 {
		return rdmap.CommitConfig{}
	}
	return rdmap.CommitConfig{Platform: memory.PlatformConfig{Coherent: true}, HostOrder: c.HostOrder()}
}

// findsFailedRequest reports whether the request whose header a Terminate returns has failed as it was executed (I-55), after executing
// the earlier ones.
func (n *Node) findsFailedRequest(stream uint32, t *wire.Terminate) bool {
	f := &n.streams[stream]
	if !isOf(t.DDP.Opcode, spec.Committing) || !n.saysExecuted(stream, t.Code) {
		return false
	}
	is := func(h wire.DDPHeader, octets int) bool { return h == t.DDP && octets == int(t.DDPSegmentLength) }
	for n.Model.IsOpen(stream) {
		if len(f.queue) > 0 && !n.waits(stream) {
			in := &f.queue[0]
			if rule := n.failsExecuted(in); is(in.header, in.length) && rule != spec.None && codeOf(rule) == t.Code {
				f.cause = rule
				if n.Observer != nil {
					n.Observer.Failed(stream, in.header.MSN, rule)
				}
				return true
			}
			if in.header.MSN == t.DDP.MSN || n.execute(stream) == nil {
				return false
			}
			continue
		}
		if !n.take(stream) {
			return false
		}
	}
	// Either: a request arrives before an earlier one invalidates its STag, and fails in its turn, or after.
	view, _ := n.classify(f.broke)
	late := f.shown.broken == spec.CannotInvalidate || f.shown.broken == spec.RequestSTag
	if !late || !is(view.Header, len(f.broke)) || codeOf(f.shown.broken) != t.Code {
		return false
	}
	f.cause, f.shown.broken = f.shown.broken, spec.None
	return true
}

// invalidates reports whether a segment is a Flush, Verify or Atomic Write Request that invalidates an STag.
func invalidates(h wire.DDPHeader) bool {
	return isOf(h.Opcode, spec.Committing) && h.InvalidateSTag != 0
}

// beforeInvalidation returns the rules that the segment which has ended a stream may also break.
//
// Either: it arrives before an earlier request invalidates the STag that it names, or after.
func (n *Node) beforeInvalidation(stream uint32) []spec.Rule {
	if n.config.Protocol()&spec.Commit == 0 || n.streams[stream].shown.broken != spec.RequestSTag {
		return nil
	}
	return []spec.Rule{spec.RequestAssociation, spec.RequestAccess, spec.RequestTOWrap, spec.RequestBounds}
}

// mayBreak reports whether a Terminate is for one of these rules, broken by the segment that has ended the stream.
func (n *Node) mayBreak(stream uint32, t *wire.Terminate, rules []spec.Rule) bool {
	f := &n.streams[stream]
	view, _ := n.classify(f.broke)
	return t.HasDDP && view.Header == t.DDP && len(f.broke) == int(t.DDPSegmentLength) &&
		slices.ContainsFunc(rules, func(r spec.Rule) bool { return codeOf(r) == t.Code })
}

// saysExecuted reports whether a Terminate may be for a request that failed as it was executed: the retire port names no rule, or the code
// is one of those.
func (n *Node) saysExecuted(stream uint32, code wire.TerminateCode) bool {
	if n.config.RetirePort {
		return n.streams[stream].shown.rule == spec.None
	}
	return slices.Contains([]wire.TerminateCode{codeGone, codeOf(spec.CannotInvalidate), codeOf(spec.ExecutionFailed), codeOf(spec.HashMismatch)}, code)
}

// failsMemory reports whether a Flush, Verify or Atomic Write ends the stream because of memory. The model does not execute it.
func (n *Node) failsMemory(in *inbound) bool {
	switch {
	case in.octets == 0:
		return false
	case in.is(spec.FlushRequest):
		return n.cannotFlush(in.address, in.octets)
	case in.is(spec.VerifyRequest):
		return n.fails(in.address, in.octets, false)
	}
	return in.is(spec.AtomicWriteRequest) && (n.fails(in.address, in.octets, false) || n.fails(in.address, in.octets, true))
}

// failsExecuted returns the rule that a request breaks when it is executed, seen from memory alone.
func (n *Node) failsExecuted(in *inbound) spec.Rule {
	switch {
	case !in.is(spec.Committing):
	case n.gone(in):
		return spec.RequestSTag
	case in.header.InvalidateSTag != 0 && n.gone(&inbound{stag: in.header.InvalidateSTag, octets: 1}):
		return spec.CannotInvalidate
	case n.failsMemory(in):
		return spec.ExecutionFailed
	case in.is(spec.VerifyRequest):
		region, _ := n.Model.Region(int(in.stag >> 8))
		hash := in.payload[wire.VerifyRequestTable.Octets:]
		if len(hash) > 0 && !bytes.Equal(hash, n.Model.Memory().Digest(nil, region.Attributes.Hash, in.address, in.octets)) {
			return spec.HashMismatch
		}
	}
	return spec.None
}
