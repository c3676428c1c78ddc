package bench

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// images are all images of a suite.
type images struct {
	script, rx, work, receives, regions Image
	txPackets, txOctets, completions    Image
	events, moments, octets             Image
	masks                               Image                 // parallel to txOctets
	known                               map[string]int        // offset in txOctets, by octets and mask
	block, ranges                       int                   // maxima per group: octets of memory, and address ranges
	outcomes, testPackets               int                   // maxima per test: outcomes, and packets on m_axis_tx
	rows                                map[int]memory.Region // as stored
	group                               *suite.Group
	terminate                           int // number of its first octet in rx

	extensions spec.Extensions
	flushes    Image // expected, with the extension commit
	hashed     int   // octets of Verifies since the last rest
}

// Commands of the script and numbers of its images, as in the bench.
const (
	rnicGroup = 1 + iota
	rnicFill
	rnicFails
	rnicRegion
	rnicOpen
	rnicShut
	rnicSegment
	rnicWork
	rnicReceive
	rnicHold
	rnicRest
	rnicTest
	rnicExpect
	rnicBegin
	rnicCopy
	rnicOver
	rnicChange
	rnicCheck
	rnicEnd
	rnicRange
	rnicMark
	rnicRead
	rnicFree
	rnicFlushes
	rnicFlawed
	rnicSilent
)

// mostFlaws is the maximum number of ranges per group that the platform cannot flush.
const mostFlaws = 16

// Digits that the extension commit adds to the lines of images: a wider opcode and the Invalidate STag, and stag_commit.
const (
	workMore = 9
	rowMore  = 4
)

const (
	rnicTx = iota
	rnicCompletion
	rnicEvent
	rnicMoment
)

func (m *images) list() []*Image {
	list := []*Image{&m.script, &m.rx, &m.work, &m.receives, &m.regions, &m.txPackets, &m.txOctets, &m.masks, &m.completions, &m.events, &m.moments, &m.octets}
	if m.commits() {
		list = append(list, &m.flushes)
	}
	return list
}

func (m *images) commits() bool { return m.extensions&spec.Commit != 0 }

func (m *images) command(command int, stream uint32, a uint32, b uint64) {
	m.script.Add("%02x_%04x_%08x_%016x", command, stream, a, b)
}

// both packs two 32-bit numbers.
func both(high, low int) uint64 { return uint64(high)<<32 | uint64(low) }

func imagesOf(s *suite.Suite) (*images, error) {
	m := &images{
		script: Image{Name: "script.hex", Width: 30}, rx: Image{Name: "rx_octets.hex", Width: 2}, work: Image{Name: "work.hex", Width: 143},
		receives: Image{Name: "receives.hex", Width: 52}, regions: Image{Name: "regions.hex", Width: 74}, txPackets: Image{Name: "tx_packets.hex", Width: 29},
		txOctets: Image{Name: "tx_octets.hex", Width: 2}, completions: Image{Name: "completions.hex", Width: 55}, events: Image{Name: "events.hex", Width: 9},
		moments: Image{Name: "moments.hex", Width: 33}, octets: Image{Name: "memory_octets.hex", Width: 2}, rows: map[int]memory.Region{},
		masks: Image{Name: "tx_masks.hex", Width: 2}, known: map[string]int{}, outcomes: 1, testPackets: 1,
		flushes: Image{Name: "flushes.hex", Width: 26}, extensions: s.Config.Protocol(),
	}
	if m.commits() {
		m.work.Width += workMore
		m.regions.Width += rowMore
		m.completions.Width++
	}
	terminate := wire.AppendTerminate(nil, wire.Terminate{})
	m.terminate = m.rx.Octets(terminate)
	for i := range s.Groups {
		if err := m.start(&s.Groups[i]); err != nil {
			return nil, fmt.Errorf("groups/%d: %w", i, err)
		}
		for j := range s.Groups[i].Tests {
			m.test(&s.Groups[i].Tests[j], len(terminate))
		}
	}
	m.command(rnicEnd, 0, uint32(s.NumberOfTests), 0)
	return m, nil
}

// start writes a group's memory and STag table rows.
func (m *images) start(g *suite.Group) error {
	m.group, m.ranges = g, max(m.ranges, len(g.Memory))
	m.command(rnicGroup, 0, 0, 0)
	first, octets := m.octets.Lines, 0
	for _, r := range g.Memory {
		m.command(rnicRange, 0, uint32(len(r.Hex)), uint64(r.Address))
		m.octets.Octets(r.Hex)
		octets += len(r.Hex)
	}
	m.block = max(m.block, octets)
	m.command(rnicFill, 0, uint32(octets), uint64(first))
	if err := m.flawed(g); err != nil {
		return err
	}
	for i, f := range g.Failing {
		if !f.Reads && !f.Writes {
			continue
		}
		flags := uint32(0)
		if f.Reads {
			flags |= 1
		}
		if f.Writes {
			flags |= 2
		}
		if f.Decode() {
			flags |= 4
		}
		from, is := m.place(f.First)
		to, ends := m.place(f.Last)
		if !is || !ends || uint64(to-from) != uint64(f.Last-f.First) {
			return fmt.Errorf("failing/%d is %x to %x; allowed: a range within one range of memory", i, uint64(f.First), uint64(f.Last))
		}
		m.command(rnicFails, flags, uint32(from), uint64(to))
	}
	wanted := map[int]bool{}
	for i := range g.Regions {
		index, row := g.Regions[i].Row()
		wanted[index] = true
		m.store(index, row)
	}
	var gone []int
	for index := range m.rows {
		if !wanted[index] {
			gone = append(gone, index)
		}
	}
	slices.Sort(gone)
	for _, index := range gone {
		m.store(index, memory.Region{})
		delete(m.rows, index)
	}
	return nil
}

// place returns the number of an octet of the group's memory in the bench.
func (m *images) place(address suite.Hex64) (number int, is bool) {
	for _, r := range m.group.Memory {
		if address >= r.Address && uint64(address-r.Address) < uint64(len(r.Hex)) {
			return number + int(address-r.Address), true
		}
		number += len(r.Hex)
	}
	return 0, false
}

// placed is place for an octet that is known to exist.
func (m *images) placed(address suite.Hex64) int {
	number, _ := m.place(address)
	return number
}

// store stores a row in the format of the registers.
func (m *images) store(index int, r memory.Region) {
	m.rows[index] = r
	owner, command := uint32(r.Owner), 1
	if r.ByDomain {
		owner |= 1 << 16
	}
	if !r.Valid {
		command = 2
	}
	access := uint32(r.Key) | uint32(r.Rights)&(1<<len(suite.Rights)-1)<<8
	more := ""
	if m.commits() {
		more = fmt.Sprintf("_%04x", suite.StagCommit(r))
	}
	line := m.regions.Add("%08x_%08x_%08x_%016x_%016x_%016x_%02x%s", index, access, owner, r.Base, r.Length, r.Address, command, more)
	m.command(rnicRegion, 0, uint32(line), 0)
}

func (m *images) test(t *suite.Test, terminate int) {
	m.command(rnicTest, 0, uint32(t.TcID), 0)
	outcomes := t.Outcomes()
	m.outcomes = max(m.outcomes, len(outcomes))
	for k, o := range outcomes {
		m.outcome(k, o)
	}
	m.expectFlushes(t)
	opened := map[uint32]bool{}
	for _, s := range m.group.Streams {
		if uses(t, s.Stream) {
			opened[s.Stream] = true
			m.command(rnicOpen, s.Stream, uint32(s.Domain), 0)
		}
	}
	m.command(rnicBegin, 0, 0, 0)
	if t.Reads() {
		m.command(rnicMark, 0, 0, 0)
	}
	changed := map[int]bool{} // rows that the test may change
	for i := range t.Input {
		in := &t.Input[i]
		if in.Wait && i > 0 {
			m.rest()
		}
		if in.Copy != nil {
			m.copied(t, in.Copy)
		}
		m.input(in, opened, changed)
		for j := range t.Expect {
			if e := &t.Expect[j]; e.Input == i && e.Register != nil {
				what := uint32(0)
				switch {
				case suite.IsCounter(in.Read):
					what = 1
				case in.Read == suite.LogRegister:
					what = 2
				}
				m.command(rnicRead, what, e.Register.Value, suite.OffsetOf(in.Read))
			}
		}
	}
	m.rest()
	m.command(rnicOver, 0, 0, 0)
	for k, o := range outcomes {
		for _, c := range o.Memory {
			m.command(rnicChange, uint32(k), uint32(m.placed(c.Address)), both(len(c.Hex), m.octets.Octets(c.Hex)))
		}
		for _, r := range o.Unspecified {
			m.command(rnicFree, uint32(k), uint32(m.placed(r.Address)), uint64(r.Octets))
		}
	}
	m.command(rnicCheck, 0, 0, 0)

	// A Terminate from the peer ends operations in progress; then the rows of the group are restored.
	for _, s := range sorted(opened) {
		m.command(rnicSegment, uint32(s), uint32(terminate), uint64(m.terminate))
	}
	m.command(rnicRest, 0, 0, 0)
	for _, index := range sorted(changed) {
		row := memory.Region{}
		for i := range m.group.Regions {
			if n, r := m.group.Regions[i].Row(); n == index {
				row = r
			}
		}
		m.store(index, row)
	}
}

func sorted[K int | uint32](set map[K]bool) (list []int) {
	for k := range set {
		list = append(list, int(k))
	}
	slices.Sort(list)
	return list
}

// uses reports whether a test uses a stream.
func uses(t *suite.Test, stream uint32) bool {
	return slices.ContainsFunc(t.Input, func(in suite.Input) bool {
		return in.Stream != nil && *in.Stream == stream || in.Work != nil && in.Work.Stream == stream || in.Receive != nil && in.Receive.Stream == stream ||
			in.Open != nil && in.Open.Stream == stream || in.Shut != nil && *in.Shut == stream
	})
}

func (m *images) input(in *suite.Input, opened map[uint32]bool, changed map[int]bool) {
	switch {
	case in.Port == suite.PortRx:
		m.hashed += m.hashedBy(in)
		if h := in.Hex; len(h) >= 6 && m.mayInvalidate(h) {
			index := int(h[2])<<16 | int(h[3])<<8 | int(h[4]) // of the STag that it may invalidate
			if _, known := m.rows[index]; known {
				changed[index] = true
			}
		}
		m.command(rnicSegment, *in.Stream, uint32(len(in.Hex)), uint64(m.rx.Octets(in.Hex)))
	case in.Work != nil:
		w := in.Work
		o := w.Operands
		if o == nil {
			o = &suite.Operands{}
		}
		signaled := 0
		if w.Signaled {
			signaled = 1
		}
		if m.commits() {
			m.command(rnicWork, 0, uint32(m.work.Add("%s", m.longWork(w, o, signaled))), 0)
			break
		}
		m.command(rnicWork, 0, uint32(m.work.Add("%04x_%016x_%x_%x_%08x_%016x_%08x_%08x_%016x_%x_%016x_%016x_%016x_%016x", w.Stream, w.ID, signaled, w.Opcode,
			uint32(w.Local.STag), uint64(w.Local.TO), w.Length, uint32(w.Remote.STag), uint64(w.Remote.TO), o.AOpCode, uint64(o.Data), uint64(o.Mask),
			uint64(o.CompareData), uint64(o.CompareMask))), 0)
	case in.Receive != nil:
		r := in.Receive
		m.command(rnicReceive, 0, uint32(m.receives.Add("%04x_%016x_%08x_%016x_%08x", r.Stream, r.ID, uint32(r.Buffer.STag), uint64(r.Buffer.TO), r.Length)), 0)
	case in.Region != nil:
		index, row := in.Region.Row()
		changed[index] = true
		m.store(index, row)
	case in.Open != nil:
		opened[in.Open.Stream] = true
		m.command(rnicOpen, in.Open.Stream, uint32(in.Open.Domain), 0)
	case in.Shut != nil:
		m.command(rnicShut, *in.Shut, 0, 0)
	case in.Hold != nil:
		hold, command := uint32(0), rnicHold
		if *in.Hold {
			hold = 1
		}
		if in.Port == suite.PortFlushed {
			command = rnicSilent
		}
		m.command(command, 0, hold, 0)
	}
}

// copied writes the octets that the next segment, which is next in rx, copies from a packet.
func (m *images) copied(t *suite.Test, c *suite.Copy) {
	before := 0 // packets before the copied one
	for i := range t.Expect[:c.Expect] {
		if t.Expect[i].Port == suite.PortTx {
			before++
		}
	}
	m.command(rnicCopy, uint32(c.From), uint32(m.rx.Lines+c.At), uint64(before)<<32|uint64(c.Xor))
}

// outcome writes outcome k of a test, and the range of its lines.
func (m *images) outcome(k int, o suite.Outcome) {
	images := []*Image{&m.txPackets, &m.completions, &m.events, &m.moments}
	var first [4]int
	for i, one := range images {
		first[i] = one.Lines
	}
	for i := range o.Expect {
		e := &o.Expect[i]
		kind, line := rnicTx, 0
		switch {
		case e.Register != nil, e.Flush != nil:
			continue // in the script
		case e.Completion != nil:
			kind, line = rnicCompletion, m.completion(e)
		case e.Event != nil:
			v := e.Event
			kind, line = rnicEvent, m.events.Add("%04x_%x_%x_%x_%02x", e.Stream, slices.Index(suite.Kinds, v.Kind), v.Layer, v.EType, v.Code)
		default:
			line = m.packet(e)
		}
		for _, c := range e.Memory {
			m.moments.Add("%x_%08x_%08x_%08x_%08x", kind, line, m.placed(c.Address), len(c.Hex), m.octets.Octets(c.Hex))
		}
	}
	m.testPackets = max(m.testPackets, m.txPackets.Lines-first[rnicTx])
	for i, one := range images {
		m.command(rnicExpect, uint32(4*k+i), uint32(first[i]), uint64(one.Lines))
	}
}

// packet writes a packet of m_axis_tx; equal packets share their octets.
func (m *images) packet(e *suite.Expect) int {
	kind := 0
	if e.Sequence().Second {
		kind = 1
	}
	mask := bytes.Repeat([]byte{0xFF}, len(e.Hex))
	if a := e.Allowed; a != nil {
		copy(mask, a.Mask)
		if a.Tail {
			kind |= 2
		}
	}
	key := string(e.Hex) + string(mask)
	octets, known := m.known[key]
	if !known {
		octets = m.txOctets.Octets(e.Hex)
		m.masks.Octets(mask)
		m.known[key] = octets
	}
	return m.txPackets.Add("%04x_%x_%08x_%08x_%08x", e.Stream, kind, len(e.Hex), octets, e.Least())
}

func (m *images) completion(e *suite.Expect) int {
	c := e.Completion
	recv, length, data, stag := 0, uint32(0), uint64(0), uint32(0)
	if c.Recv {
		recv = 1
	}
	if c.Length != nil {
		length, data, stag = *c.Length, uint64(*c.Data), uint32(*c.STag)
	}
	if m.commits() {
		return m.completions.Add("%04x_%x_%x_%02x_%016x_%08x_%016x_%08x", e.Stream, recv, c.StatusNumber(), c.Opcode, c.ID, length, data, stag)
	}
	return m.completions.Add("%04x_%x_%x_%x_%016x_%08x_%016x_%08x", e.Stream, recv, c.StatusNumber(), c.Opcode, c.ID, length, data, stag)
}
