package simulator

import "fmt"

// Coverage accumulates the coverage of runs of one design. An engine adds to it when it is closed, so that it can be passed from
// one engine to the next, but it belongs to one at a time.
type Coverage struct {
	Points []Point
	Pins   []Pin

	// Counts of the open engine, in its own memory: how often each point was reached, and which bits of all ports have
	// risen and fallen. Both are in an engine-specific order. Nil when the engine is closed.
	Counts     []uint32
	Rose, Fell []uint64
}

// Point is a piece of a module's source that executes as a whole, or an arm of an if or case.
type Point struct {
	File, Module string
	Line, Column int    // its start
	Arm          string // if, else, elsif, case; empty: no arm
	Lines        []int  // all its lines
	Count        uint64 // times reached, in all instances of the module
}

// Pin is a port of an instance. Bits are as in a value: 64 per word, low word first.
type Pin struct {
	Path, Module, Variant, Port string
	Width                       int
	Rose, Fell                  []uint64
}

// Add adds the coverage of another run of the same design.
func (c *Coverage) Add(points []Point, pins []Pin) error {
	if c.Points == nil && c.Pins == nil {
		c.Points, c.Pins = points, pins
		return nil
	}
	if len(points) != len(c.Points) || len(pins) != len(c.Pins) {
		return fmt.Errorf("coverage of %d points and %d ports: that of another design has %d and %d", len(c.Points), len(c.Pins), len(points), len(pins))
	}
	for i, p := range points {
		if q := &c.Points[i]; q.File != p.File || q.Line != p.Line || q.Column != p.Column || q.Arm != p.Arm {
			return fmt.Errorf("coverage of %s:%d: another design has %s:%d", q.File, q.Line, p.File, p.Line)
		}
		c.Points[i].Count += p.Count
	}
	for i, p := range pins {
		q := &c.Pins[i]
		if q.Path != p.Path || q.Port != p.Port || q.Width != p.Width {
			return fmt.Errorf("coverage of %s.%s: another design has %s.%s", q.Path, q.Port, p.Path, p.Port)
		}
		for w := range p.Rose {
			q.Rose[w] |= p.Rose[w]
			q.Fell[w] |= p.Fell[w]
		}
	}
	return nil
}
