package replay

import (
	"net/netip"
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
)

const pageOctets = 4096

// page is a piece of a region: what the capture says of it, octet by octet.
type page struct {
	initial [pageOctets]byte // before the replay
	now     [pageOctets]byte // at this point of the capture
	brought [pageOctets]bool // a message brings it
	known   [pageOctets]bool // the capture tells what it holds; otherwise it holds what was made up
}

// region is a piece of memory that one side has registered.
type region struct {
	stag   uint32 // as captured; of local buffers it means nothing
	rights memory.Rights
	low    uint64
	high   uint64 // TO of the last octet
	some   bool   // low and high mean something
	ended  bool   // invalidated by the peer
	pages  map[uint64]*page

	row     int
	owner   memory.Region // only Owner and ByDomain
	address uint64        // of low, in the node's memory
}

// cover makes TO to and those that follow part of the region.
func (g *region) cover(to, octets uint64, right memory.Rights) {
	g.rights |= right
	if octets == 0 {
		if !g.some && g.low == 0 {
			g.low = to // where it lies, should nothing else tell
		}
		return
	}
	last := to + octets - 1
	if !g.some {
		g.low, g.high, g.some = to, last, true
	}
	g.low, g.high = min(g.low, to), max(g.high, last)
	for number := to / pageOctets; ; number++ {
		if g.at(number * pageOctets); number == last/pageOctets {
			return
		}
	}
}

// at is the page of a TO, and the octet of it.
func (g *region) at(to uint64) (*page, int) {
	number := to / pageOctets
	p := g.pages[number]
	if p == nil {
		p = new(page)
		for i := range p.initial { // anything but what a message is likely to bring
			p.initial[i] = byte((number*pageOctets + uint64(i) + 0x9E37) * 0x9E3779B97F4A7C15 >> 53)
		}
		p.now = p.initial
		g.pages[number] = p
	}
	return p, int(to % pageOctets)
}

// write notes octets that a message brings.
func (g *region) write(to uint64, octets []byte) {
	for n, octet := range octets {
		p, i := g.at(to + uint64(n))
		p.now[i], p.known[i], p.brought[i] = octet, true, true
	}
}

// read notes octets that a message was made of. What was not known held them from the beginning. What is known otherwise
// the host has changed: stored tells, and known counts those that are as earlier messages left them.
func (g *region) read(to uint64, octets []byte) (known int, stored bool) {
	for n, octet := range octets {
		p, i := g.at(to + uint64(n))
		switch {
		case !p.known[i]:
			p.initial[i], p.now[i], p.known[i] = octet, octet, true
		case p.now[i] == octet:
			known++
		default:
			p.now[i], stored = octet, true
		}
	}
	return known, stored
}

// word is the little-endian number that the capture says is at a TO.
func (g *region) word(to uint64) (w uint64) {
	for n := range uint64(memory.WordOctets) {
		p, i := g.at(to + n)
		w |= uint64(p.now[i]) << (8 * n)
	}
	return w
}

// length is the octets of the region.
func (g *region) length() uint64 {
	if !g.some {
		return 0
	}
	return g.high - g.low + 1
}

// addressOf is where a TO lies in the node's memory.
func (g *region) addressOf(to uint64) uint64 { return g.address + (to - g.low) }

// numbers lists the pages in order.
func (g *region) numbers() []uint64 {
	var list []uint64
	for n := range g.pages {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// entry is the row of the STag table.
func (g *region) entry() memory.Region {
	e := g.owner
	e.Valid, e.Key, e.Rights = true, uint8(g.stag), g.rights
	e.Base, e.Length, e.Address = g.low, g.length(), g.address
	return e
}

// name is an STag's index on a host, or a local buffer.
type name struct {
	host  netip.Addr
	index uint32
	local *end
	right memory.Rights // of a local buffer
}

// layout is what one node has registered. A name has one region after the other: the host gives the index another key, or
// registers it again after the peer has invalidated it.
type layout struct {
	names   map[name][]*region
	order   []name
	heard   map[uint32]bool // every index that a message names here, registered or not
	renamed int             // indices that are another row's
}

func newLayout() *layout { return &layout{names: map[name][]*region{}, heard: map[uint32]bool{}} }

// use finds the region of a name that is valid, and registers one when there is none. anew tells that it replaces another.
func (l *layout) use(n name, stag uint32) (g *region, anew bool) {
	list, is := l.names[n]
	if !is {
		l.order = append(l.order, n)
	}
	if k := len(list); k > 0 && !list[k-1].ended && list[k-1].stag == stag {
		return list[k-1], false
	}
	g = &region{stag: stag, pages: map[uint64]*page{}}
	l.names[n] = append(list, g)
	return g, is
}

// place gives every name a row and every region an address. An index keeps its row when the table has it.
func (l *layout) place(rows int) (fits bool) {
	taken := make([]bool, rows)
	row := map[name]int{}
	for _, n := range l.order {
		if n.local == nil && int(n.index) < rows && !taken[n.index] {
			row[n], taken[n.index] = int(n.index), true
		}
	}
	for index := range l.heard { // what is not registered must not be found
		if int(index) < rows {
			taken[index] = true
		}
	}
	next, address := 0, uint64(1)<<20
	for _, n := range l.order {
		if _, is := row[n]; !is {
			for next < rows && taken[next] {
				next++
			}
			if next == rows {
				return false
			}
			row[n], taken[next] = next, true
			if n.local == nil {
				l.renamed++
			}
		}
		for _, g := range l.names[n] {
			g.row = row[n]
			g.address = address + g.low%pageOctets // pages of TO are pages of memory
			address += (g.low%pageOctets+g.length()+pageOctets-1)/pageOctets*pageOctets + pageOctets
		}
	}
	return true
}

// rename gives an STag the row that stands for its index.
func (l *layout) rename(host netip.Addr, stag uint32) uint32 {
	if list := l.names[name{host: host, index: stag >> 8}]; len(list) > 0 {
		return memory.STag(list[0].row, uint8(stag))
	}
	return stag
}

// regions lists all, in order.
func (l *layout) regions() []*region {
	var list []*region
	for _, n := range l.order {
		list = append(list, l.names[n]...)
	}
	return list
}
