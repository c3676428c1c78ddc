package suite

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// What the extension commit adds to the format: draft-talpey-rdma-commit-01.

// CommitRights follow Rights: bits 0 to 2 of the register stag_commit.
var CommitRights = []string{"flush_persistent", "flush_visible", "verifiable"}

// allRights are the names of the bits of memory.Rights.
var allRights = slices.Concat(Rights, CommitRights)

// Types and Hashes list the types of memory and the algorithms by number, as in the register stag_commit.
var (
	Types  = []string{"plain", "flushable", "peer_to_peer"}
	Hashes = []string{"none", "crc32c", "crc64_nvme", "sha256"}
)

// RegionCommit holds the attributes of a region beside its rights.
type RegionCommit struct {
	Type         string `json:"type"`
	WriteThrough bool   `json:"writeThrough,omitempty"`
	Hash         string `json:"hash"`
	NeedsRead    bool   `json:"needsRead"` // a Verify needs Remote Read
}

// commitOf converts attributes; nil for those of a region without any.
func commitOf(r *memory.Region) *RegionCommit {
	a := r.Attributes
	if !r.Valid || a == (memory.Attributes{}) {
		return nil
	}
	return &RegionCommit{Type: name(Types, int(a.Type)), WriteThrough: a.Mode == memory.WriteThrough, Hash: name(Hashes, int(a.Hash)),
		NeedsRead: a.Read == memory.ReadNeeded || a.Read == memory.ReadIfReversible && a.Hash.Reversible()}
}

// StagCommit returns the value of the register stag_commit for a row.
func StagCommit(r memory.Region) (v uint32) {
	c := commitOf(&r)
	if c == nil {
		c = &RegionCommit{}
	}
	v = uint32(r.Rights>>len(Rights)) & (1<<len(CommitRights) - 1)
	if c.NeedsRead {
		v |= 1 << 3
	}
	if c.WriteThrough {
		v |= 1 << 6
	}
	return v | uint32(r.Attributes.Type)<<4 | uint32(r.Attributes.Hash)<<7
}

func (c *RegionCommit) attributes() (a memory.Attributes) {
	if c == nil {
		return a
	}
	a.Type, a.Hash, a.Read = memory.Type(slices.Index(Types, c.Type)), memory.Algorithm(slices.Index(Hashes, c.Hash)), memory.ReadNotNeeded
	if c.WriteThrough {
		a.Mode = memory.WriteThrough
	}
	if c.NeedsRead {
		a.Read = memory.ReadNeeded
	}
	return a
}

// WorkCommit holds what a work request of the extension has beside the octets that it names.
type WorkCommit struct {
	Flags      int       `json:"flags,omitempty"`      // of a Flush: 1 persistence, 2 global visibility
	Algorithm  string    `json:"algorithm,omitempty"`  // of a Verify
	Expected   HexOctets `json:"expected,omitempty"`   // of a Verify: the hash with which the peer compares its digest; absent: none
	Data       *Hex64    `json:"data,omitempty"`       // of an Atomic Write, the first octet most significant
	Invalidate Hex32     `json:"invalidate,omitempty"` // STag of the peer that is invalidated after success
}

func workCommitOf(w *rdmap.WorkRequest) *WorkCommit {
	c := &w.Commit
	out := &WorkCommit{Invalidate: Hex32(c.Invalidate)}
	row, _ := spec.AllExtensions.Operation(w.Opcode)
	switch row.Class {
	case spec.FlushRequest:
		out.Flags = int(c.Flags)
	case spec.VerifyRequest:
		out.Algorithm = name(Hashes, int(c.Algorithm))
		if c.Compare {
			out.Expected = slices.Clone(c.Hash[:c.Algorithm.Octets()])
		}
	case spec.AtomicWriteRequest:
		data := Hex64(c.Data)
		out.Data = &data
	default:
		return nil
	}
	return out
}

func (c *WorkCommit) operands() (out rdmap.CommitOperands) {
	if c == nil {
		return out
	}
	out.Flags, out.Algorithm, out.Invalidate = wire.Disposition(c.Flags), memory.Algorithm(max(0, slices.Index(Hashes, c.Algorithm))), uint32(c.Invalidate)
	out.Compare = len(c.Expected) > 0
	copy(out.Hash[:], c.Expected)
	if c.Data != nil {
		out.Data = uint64(*c.Data)
	}
	return out
}

// mostHashed bounds Hashed; paddedOctets are two blocks of SHA-256.
const (
	mostHashed   = 1 << 14
	paddedOctets = 128
)

// Hashed bounds the cycles that a design needs for the digest that a segment asks for, if it is of at most 16384 octets:
// SHA-256 takes up to 68 per 64 octets, with padding, during which no port shows anything.
func (in *Input) Hashed() int {
	s, broken := wire.ClassifyWith(spec.AllExtensions, in.Hex)
	var r wire.VerifyRequest
	if broken != spec.None || !spec.AllExtensions.Is(s.Header.Opcode, spec.VerifyRequest) || r.Decode(s.Payload) != nil || r.Length > mostHashed {
		return 0
	}
	return int(r.Length) + int(r.Length)/16 + paddedOctets
}

// Flush is a flush that a design asks the platform for.
type Flush struct {
	Address    Hex64  `json:"address"`
	Octets     uint32 `json:"octets"` // at least 1
	Type       string `json:"type"`   // of the region
	Persistent bool   `json:"persistent"`
	Visible    bool   `json:"visible"`
}

// FlushOf returns an outcome.
func FlushOf(address uint64, octets uint32, kind memory.Type, persistent, visible bool) Expect {
	return Expect{Port: PortFlush, Flush: &Flush{Hex64(address), octets, name(Types, int(kind)), persistent, visible}}
}

// Mismatch is the status of a Verify whose digest is not the expected hash.
const Mismatch = "mismatch"

// StatusNumber returns the number of a status on the port.
func (c *Completion) StatusNumber() int {
	if c.Status == Mismatch {
		return len(Statuses) - 1
	}
	return slices.Index(Statuses, c.Status)
}

// statusOf names a status.
func statusOf(recv bool, status int) string {
	if !recv && status == len(Statuses)-1 {
		return Mismatch
	}
	return name(Statuses, status)
}
