package rnic

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Checked counts the comparisons made.
type Checked struct {
	Messages    uint64 // sent by the device
	Segments    uint64
	Completions uint64
	Events      uint64
	Atomics     uint64
	Streams     uint64 // that ended
	Refused     uint64 // receive requests beyond the limit
	Registers   uint64
	Steps       uint64 // of messages, checked against the ordering tables
	Reports     uint64 // of the retire port: counts per stream
}

func (c *Checked) add(o Checked) {
	c.Messages += o.Messages
	c.Segments += o.Segments
	c.Completions += o.Completions
	c.Events += o.Events
	c.Atomics += o.Atomics
	c.Streams += o.Streams
	c.Refused += o.Refused
	c.Registers += o.Registers
	c.Steps += o.Steps
	c.Reports += o.Reports
}

// Difference reports that the device deviates from the model.
type Difference struct {
	Node   string
	Stream uint32
	What   string
	Device string
	Model  string
}

func (d *Difference) Error() string {
	return fmt.Sprintf("%s, stream %d: %s differs\n  device: %s\n  model:  %s", d.Node, d.Stream, d.What, d.Device, d.Model)
}

func (n *Node) differs(stream uint32, what, device, model string) error {
	return &Difference{Node: n.name, Stream: stream, What: what, Device: device, Model: model}
}

// Range is a range of memory.
type Range struct {
	Address uint64
	Octets  int
}

// show formats a segment for humans.
func (n *Node) show(octets []byte) string {
	const most = 80
	x := n.config.Protocol()
	s, _ := wire.ClassifyWith(x, octets)
	text := fmt.Sprintf("%s, %d octets: % X", x.Title(s.Header.Opcode), len(octets), octets[:min(len(octets), most)])
	if len(octets) > most {
		text += " ..."
	}
	return text
}
