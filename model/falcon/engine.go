package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Engine is a node. QPs, connections and shared receive queues that its methods name must exist; others panic.
type Engine struct {
	config      Config
	table       *memory.Table
	space       *memory.Space
	connections map[uint32]*connection
	qps         map[uint32]*qp
	srqs        map[uint32]*sharedQueue
	functions   map[uint16]*spec.Credits // left of a function; nil: no limit
	host        *spec.Credits            // left of the host; nil: no limit
	xoff        bool
	responses   []pending
	completions []Completion
	events      []Event
	broken      [256]uint64
}

// New returns a node without connections and QPs, with no valid region and with memory zero.
func New(c Config) (*Engine, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	table, err := memory.NewTable(c.Regions)
	if err != nil {
		return nil, err
	}
	return &Engine{config: c, table: table, space: memory.NewSpace(), connections: map[uint32]*connection{},
		qps: map[uint32]*qp{}, srqs: map[uint32]*sharedQueue{},
		functions: map[uint16]*spec.Credits{}}, nil
}

// connection is this side of a Falcon connection.
type connection struct {
	ConnectionConfig
	credits   spec.Credits // left
	datagrams bool         // UD QPs use it

	// The initiator.
	rsn  uint32 // of the next request
	sn   uint32 // of the next request
	open map[uint32]*transaction

	// The target.
	arrived window // SNs of the peer's requests that count as received
	rnr     bool   // ordered: a request got RNR, and that with SN arrived.next has not arrived again
}

// Memory returns the node's memory.
func (e *Engine) Memory() *memory.Space { return e.space }

// SetRegion replaces a row of the table of regions. Keys are memory.STag of the row and its key; an R-Key and an L-Key
// differ by the rights that are needed.
func (e *Engine) SetRegion(index int, r memory.Region) error { return e.table.Set(index, r) }

// Region returns a row of the table of regions; false if the index is out of range.
func (e *Engine) Region(index int) (memory.Region, bool) { return e.table.Get(index) }

// Broken returns how often a received packet broke a rule. Datagrams and responses without effect are counted here only
// (I-67).
func (e *Engine) Broken(r spec.Rule) uint64 { return e.broken[r] }

// NextCompletion takes the oldest completion; false if there is none.
func (e *Engine) NextCompletion() (c Completion, ok bool) { return take(&e.completions) }

// NextEvent takes the oldest event; false if there is none.
func (e *Engine) NextEvent() (v Event, ok bool) { return take(&e.events) }

func take[T any](list *[]T) (first T, ok bool) {
	if len(*list) == 0 {
		return first, false
	}
	first, *list = (*list)[0], (*list)[1:]
	return first, true
}

// InError reports whether a QP is in Error.
func (e *Engine) InError(number uint32) bool { return e.qps[number].failed }
