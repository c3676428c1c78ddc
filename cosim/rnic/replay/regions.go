package replay

import (
	"net/netip"
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
)

const pageOctets = 4096

// page is a piece of a region with the contents known from the capture, by octet.
type page struct {
	initial [pageOctets]byte // before the replay
	now     [pageOctets]byte // at this point of the capture
	brought [pageOctets]bool // written by a message
	known   [pageOctets]bool // contents known from the capture; otherwise arbitrary
}

// region is a piece of memory registered by one side.
type region struct {
	stag   uint32 // as captured; meaningless for local buffers
	rights memory.Rights
	low    uint64
	high   uint64 // TO of the last octet
	some   bool   // low and high are valid
	ended  bool   // invalidated by the peer
	pages  map[uint64]*page

	row     int
	owner   memory.Region // only Owner and ByDomain
	address uint64        // of low, in the node's memory
}

// cover extends the region to include the octets from TO to on.
func (g *region) cover(to, octets uint64, right memory.Rights) {
	g.rights |= right
	if octets == 0 {
		if !g.some && g.low == 0 {
			g.low = to // its place, unless an access defines it
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

// at returns the page of a TO, and the offset in it.
func (g *region) at(to uint64) (*page, int) {
	number := to / pageOctets
	p := g.pages[number]
	if p == nil {
		p = new(page)
		for i := range p.initial { // a value that messages are unlikely to carry
			p.initial[i] = byte((number*pageOctets + uint64(i) + 0x9E37) * 0x9E3779B97F4A7C15 >> 53)
		}
		p.now = p.initial
		g.pages[number] = p
	}
	return p, int(to % pageOctets)
}

// write records octets written by a message.
func (g *region) write(to uint64, octets []byte) {
	for n, octet := range octets {
		p, i := g.at(to + uint64(n))
		p.now[i], p.known[i], p.brought[i] = octet, true, true
	}
}

// read records octets that a message was read from. Unknown octets held these values from the beginning. Known octets with
// other values were changed by the host, as stored reports; known counts those left unchanged since earlier messages.
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

// word returns the little-endian number at a TO, as known from the capture.
func (g *region) word(to uint64) (w uint64) {
	for n := range uint64(memory.WordOctets) {
		p, i := g.at(to + n)
		w |= uint64(p.now[i]) << (8 * n)
	}
	return w
}

// length returns the size of the region in octets.
func (g *region) length() uint64 {
	if !g.some {
		return 0
	}
	return g.high - g.low + 1
}

// addressOf maps a TO to the node's memory.
func (g *region) addressOf(to uint64) uint64 { return g.address + (to - g.low) }

// numbers returns the page numbers in order.
func (g *region) numbers() []uint64 {
	var list []uint64
	for n := range g.pages {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// entry returns the row of the STag table.
func (g *region) entry() memory.Region {
	e := g.owner
	e.Valid, e.Key, e.Rights = true, uint8(g.stag), g.rights
	e.Base, e.Length, e.Address = g.low, g.length(), g.address
	if g.rights&(memory.FlushPersistent|memory.FlushVisible) != 0 {
		e.Attributes.Type = memory.Flushable
	}
	return e
}

// name is an STag's index on a host, or a local buffer.
type name struct {
	host  netip.Addr
	index uint32
	local *end
	right memory.Rights // of a local buffer
}

// layout holds the registrations of one node. A name can have several regions in sequence: the host gives the index another
// key, or registers it again after the peer has invalidated it.
type layout struct {
	names   map[name][]*region
	order   []name
	heard   map[uint32]bool // every index named by a message, registered or not
	renamed int             // indices mapped to another row
}

func newLayout() *layout { return &layout{names: map[name][]*region{}, heard: map[uint32]bool{}} }

// use returns the valid region of a name, and registers one if there is none. anew reports that it replaces another.
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

// place assigns a row to every name and an address to every region. An index keeps its row if the table has it.
func (l *layout) place(rows int) (fits bool) {
	taken := make([]bool, rows)
	row := map[name]int{}
	for _, n := range l.order {
		if n.local == nil && int(n.index) < rows && !taken[n.index] {
			row[n], taken[n.index] = int(n.index), true
		}
	}
	for index := range l.heard { // unregistered STags must not match
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

// rename replaces the index of an STag by its assigned row.
func (l *layout) rename(host netip.Addr, stag uint32) uint32 {
	if list := l.names[name{host: host, index: stag >> 8}]; len(list) > 0 {
		return memory.STag(list[0].row, uint8(stag))
	}
	return stag
}

// regions returns all regions in order.
func (l *layout) regions() []*region {
	var list []*region
	for _, n := range l.order {
		list = append(list, l.names[n]...)
	}
	return list
}
