package memory

import "fmt"

// Reach is how far a placed octet has got. The two are independent of each other (I-59): either may be first.
type Reach uint8

const (
	Stored  Reach = iota // persistent: it survives a crash
	Visible              // globally visible: all observers read it
	reaches
)

// Platform is what lies behind the memory of a node: caches that lose their contents in a crash, storage that does not,
// and the view of other observers. Section 2 of draft-talpey-rdma-commit-01.
//
// Octets that the node places are in its own Space at once. Each reaches storage and the other observers when a Flush
// moves it, or at any other time (Evict). Both happen by line: a line arrives as a whole, as it is in the Space at that
// time (I-95). Between two calls, storage thus holds for each line any value that the line has had since it last
// arrived, depending on what the caller evicts.
type Platform struct {
	placed *Space
	at     [reaches]*Space
	line   uint64 // octets, a power of two
}

// PlatformConfig describes a Platform.
type PlatformConfig struct {
	Line     int  // octets that move together, a power of two, 1 to 4096; 0: 64. 1 models a memory that tears words
	Coherent bool // what is placed is visible at once, as on a platform that snoops
}

// DefaultLine is the cache line of usual processors.
const DefaultLine = 64

// NewPlatform returns the platform of a node's memory, with everything that the memory contains at both reaches.
func NewPlatform(placed *Space, c PlatformConfig) (*Platform, error) {
	if c.Line == 0 {
		c.Line = DefaultLine
	}
	if c.Line < 1 || c.Line > pageOctets || c.Line&(c.Line-1) != 0 {
		return nil, fmt.Errorf("memory: line is %d octets; allowed: a power of two, 1..%d", c.Line, pageOctets)
	}
	p := &Platform{placed: placed, at: [reaches]*Space{NewSpace(), NewSpace()}, line: uint64(c.Line)}
	if c.Coherent {
		p.at[Visible] = placed
	}
	p.Settle()
	return p, nil
}

// At returns what survives a crash, or what other observers read. It must not be changed.
func (p *Platform) At(r Reach) *Space { return p.at[r] }

// Flush moves octets from an address, and the rest of their lines, to a reach. 0 octets move nothing.
func (p *Platform) Flush(r Reach, address, octets uint64) {
	if octets == 0 {
		return
	}
	last := (address + octets - 1) | (p.line - 1)
	p.at[r].copy(p.placed, address&^(p.line-1), last)
}

// Evict moves the line of an address to a reach: caches may need room at any time.
func (p *Platform) Evict(r Reach, address uint64) { p.Flush(r, address, 1) }

// Dirty returns the addresses of the lines that have not got to a reach, in order.
func (p *Platform) Dirty(r Reach) (lines []uint64) {
	for _, number := range p.placed.numbers(p.at[r]) {
		for line := range pageOctets / p.line {
			start := number*pageOctets + line*p.line
			if !p.at[r].Equal(start, p.placed.Append(nil, start, int(p.line))) {
				lines = append(lines, start)
			}
		}
	}
	return lines
}

// Settle moves everything to both reaches, as time does if nothing else happens.
func (p *Platform) Settle() {
	for _, to := range p.at {
		to.copy(p.placed, 0, ^uint64(0))
	}
}

// Crash loses everything that is not in storage. All observers then read what is.
func (p *Platform) Crash() {
	p.placed.copy(p.at[Stored], 0, ^uint64(0))
	p.Settle()
}
