package bench

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// What the extension commit adds to the images.

// flawed writes the ranges of a group that the platform cannot flush.
func (m *images) flawed(g *suite.Group) error {
	if !m.commits() {
		return nil
	}
	m.command(rnicFlawed, 0, 0, 0)
	some := 0
	for i, f := range g.Failing {
		if !f.Flushes {
			continue
		}
		octets := uint64(f.Last-f.First) + 1
		if some++; some > mostFlaws || octets>>32 != 0 || octets == 0 {
			return fmt.Errorf("failing/%d fails flushes of %d octets; allowed: at most %d such ranges of less than 4 GiB", i, octets, mostFlaws)
		}
		m.command(rnicFlawed, 0, uint32(octets), uint64(f.First))
	}
	return nil
}

// expectFlushes writes the flushes of a test; a permissive bench ignores them.
func (m *images) expectFlushes(t *suite.Test) {
	if !m.commits() {
		return
	}
	first := m.flushes.Lines
	for i := range t.Expect {
		if f := t.Expect[i].Flush; f != nil {
			what := 0
			for bit, is := range []bool{f.Persistent, f.Visible} {
				if is {
					what |= 1 << bit
				}
			}
			m.flushes.Add("%016x_%08x_%x_%x", uint64(f.Address), f.Octets, slices.Index(suite.Types, f.Type), what)
		}
	}
	m.command(rnicFlushes, 0, uint32(first), uint64(m.flushes.Lines))
}

// rest waits until the design is idle, also if it computes digests.
func (m *images) rest() {
	m.command(rnicRest, 0, uint32(m.hashed), 0)
	m.hashed = 0
}

func (m *images) hashedBy(in *suite.Input) int {
	if !m.commits() {
		return 0
	}
	return in.Hashed()
}

// mayInvalidate reports whether a segment may invalidate the STag in its third to sixth octet.
func (m *images) mayInvalidate(segment []byte) bool {
	op := spec.Opcode(segment[1] & (1<<m.extensions.OpcodeBits() - 1))
	return m.extensions.Is(op, spec.SendInvalidate|spec.Committing)
}

// longWork returns the line of a work request with the extension, in the form of the ports.
func (m *images) longWork(w *suite.Work, o *suite.Operands, signaled int) string {
	aopcode, values := o.AOpCode, [4]uint64{uint64(o.Data), uint64(o.Mask), uint64(o.CompareData), uint64(o.CompareMask)}
	invalidate := uint32(0)
	if c := w.Commit; c != nil {
		invalidate = uint32(c.Invalidate)
		switch {
		case c.Algorithm != "":
			aopcode = slices.Index(suite.Hashes, c.Algorithm)
			if len(c.Expected) > 0 {
				aopcode |= 1 << 2
			}
			hash := append(slices.Clone(c.Expected), make([]byte, 32)...)
			for i := range values {
				values[i] = binary.BigEndian.Uint64(hash[8*i:])
			}
		case c.Data != nil:
			values[0] = uint64(*c.Data)
		default:
			aopcode = c.Flags
		}
	}
	return fmt.Sprintf("%04x_%016x_%x_%02x_%08x_%016x_%08x_%08x_%016x_%x_%016x_%016x_%016x_%016x_%08x", w.Stream, uint64(w.ID), signaled, w.Opcode, uint32(w.Local.STag),
		uint64(w.Local.TO), w.Length, uint32(w.Remote.STag), uint64(w.Remote.TO), aopcode, values[0], values[1], values[2], values[3], invalidate)
}
