package rnic

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// fails reports whether memory responds to an access with an error.
func (n *Node) fails(address, octets uint64, write bool) bool {
	return n.firstFailure(address, octets, write) < octets
}

// firstFailure returns the index of the first failing octet of an access, octets if there is none.
func (n *Node) firstFailure(address, octets uint64, write bool) uint64 {
	first := octets
	for _, r := range n.faulty {
		if (write && r.Writes || !write && r.Reads) && address <= r.Last && address+octets > r.First {
			first = min(first, max(r.First, address)-address)
		}
	}
	return first
}

// usableLocal reports whether a work request may use its local buffer.
func (n *Node) usableLocal(w rdmap.WorkRequest) bool {
	switch o, _ := spec.AllExtensions.Operation(w.Opcode); {
	case o.Class&(spec.Immediate|spec.FlushRequest|spec.AtomicWriteRequest) != 0:
		return true
	case o.Class == spec.VerifyRequest:
		return n.usable(w.Stream, w.Local, uint32(w.Commit.Algorithm.Octets()), memory.LocalWrite)
	case o.GetsReply():
		return n.usable(w.Stream, w.Local, memory.WordOctets, memory.LocalWrite)
	case o.Class == spec.ReadRequest:
		return n.usable(w.Stream, w.Local, w.Length, memory.LocalWrite)
	}
	return n.usable(w.Stream, w.Local, w.Length, memory.LocalRead)
}

// readable returns how many segments of a work request have readable payload, noLimit if all.
func (n *Node) readable(w rdmap.WorkRequest) int {
	if !w.Opcode.Is(spec.Write) && !isSend(w.Opcode) || !n.usable(w.Stream, w.Local, w.Length, memory.LocalRead) || w.Length == 0 {
		return noLimit
	}
	region, _ := n.Model.Region(int(w.Local.STag >> 8))
	octets := uint64(w.Length)
	if first := n.firstFailure(region.Address+(w.Local.TO-region.Base), octets, false); first < octets {
		return int(first) / n.config.MaxPayload
	}
	return noLimit
}

// usable reports whether a stream may use a local buffer.
func (n *Node) usable(stream uint32, b rdmap.Buffer, length uint32, right memory.Rights) bool {
	region, is := n.Model.Region(int(b.STag >> 8))
	owner := uint16(stream)
	if region.ByDomain {
		owner = n.streams[stream].domain
	}
	return length == 0 || is && region.Valid && region.Key == uint8(b.STag) && region.Owner == owner && region.Rights&right != 0 &&
		b.TO >= region.Base && b.TO-region.Base <= region.Length && uint64(length) <= region.Length-(b.TO-region.Base)
}
