package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/system"
)

// device is the hardware of a profile as the RNIC of a node: the streams beside m_axi.
type device interface {
	setRegion(index int, r memory.Region) error
	open(stream uint32) error
	close() error

	// work and receive pass on a request if there is room for it.
	work(w rdmap.WorkRequest) bool
	receive(r rdmap.ReceiveRequest) bool

	// take passes on what the network has brought, as far as there is room.
	take(now sim.VTimeInSec) (took bool, err error)

	// run runs a cycle, after holding the streams of which something waits.
	run() error

	// collect takes what has come out. Completions, and the ends of streams, are added to those of the RNIC.
	collect(now sim.VTimeInSec) (some bool, err error)

	// send passes on what has come out, as far as the network has room.
	send(now sim.VTimeInSec) error

	// idle reports whether nothing waits, and next when something happens by itself.
	idle() bool
	next() system.Cycle
}
