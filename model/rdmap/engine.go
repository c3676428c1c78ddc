package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// MaxStreams bounds EngineConfig.Streams.
const MaxStreams = 16384

// EngineConfig describes an Engine.
type EngineConfig struct {
	Streams      int  // 1..MaxStreams; streams are numbered from 0
	STags        int  // rows of the STag table, 1..memory.MaxSTags
	IRD          int  // unanswered requests on QN 1 per stream, at least 1
	ORD          int  // outstanding requests with a response per stream, at least 1
	ReceiveDepth int  // incomplete receive requests per stream, at least 1
	SendDepth    int  // incomplete work requests per stream, at least 1
	MaxPayload   int  // octets of payload per transmitted segment, 1..MaxEnginePayload
	Draft00      bool // AOpCode 0001b is Swap (I-03)

	Extensions spec.Extensions
	Commit     CommitConfig // of the extension Commit

	Choices
}

// Choices selects permitted behaviour other than this project's decisions. Vectors use it to find the other acceptable
// outcomes.
type Choices struct {
	RefuseInside      bool // a request inside an incomplete message ends its stream instead of waiting (I-77)
	DeliverInside     bool // any other message inside an incomplete one is accepted (I-78)
	ImmediateInBuffer bool // Immediate Data is also placed in the buffer of its receive request (I-12)
	AnyIdentifier     bool // an Atomic Response is matched by its MSN alone (I-08)
}

// MaxEnginePayload leaves room for the longest DDP header.
const MaxEnginePayload = wire.MaxSegment - 18

func (c EngineConfig) check() error {
	for _, f := range []struct {
		name            string
		value, min, max int
	}{
		{"Streams", c.Streams, 1, MaxStreams},
		{"STags", c.STags, 1, memory.MaxSTags},
		{"IRD", c.IRD, 1, 1 << 16},
		{"ORD", c.ORD, 1, 1 << 16},
		{"ReceiveDepth", c.ReceiveDepth, 1, 1 << 16},
		{"SendDepth", c.SendDepth, 1, 1 << 16},
		{"MaxPayload", c.MaxPayload, 1, MaxEnginePayload},
	} {
		if f.value < f.min || f.value > f.max {
			return fmt.Errorf("rdmap: %s is %d; allowed: %d..%d", f.name, f.value, f.min, f.max)
		}
	}
	if c.Extensions&^spec.AllExtensions != 0 {
		return fmt.Errorf("rdmap: Extensions is 0x%X; allowed: a subset of 0x%X", c.Extensions, spec.AllExtensions)
	}
	return nil
}

// Engine is a node: its streams, its STags and its memory. Stream numbers must be below EngineConfig.Streams in all
// calls; others panic.
type Engine struct {
	config   EngineConfig
	table    *memory.Table
	space    *memory.Space
	platform *memory.Platform // with the extension Commit
	streams  []endpoint
	counters Counters

	// ReadError and WriteError, if set, report whether an access to memory by a stream fails.
	ReadError, WriteError func(stream uint32, address uint64, octets int) bool

	// FlushError, if set, reports whether the platform fails to flush octets for a stream.
	FlushError func(stream uint32, address, octets uint64, flags wire.Disposition) bool

	tx       []byte   // the concatenated segments of the last Transmit or Execute
	segments [][]byte // each of them
	executed Executed // result of the last Execute
}

// NewEngine returns a node after reset: all streams closed, no STag valid, memory zero.
func NewEngine(c EngineConfig) (*Engine, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	table, err := memory.NewTable(c.STags)
	if err != nil {
		return nil, err
	}
	e := &Engine{config: c, table: table, space: memory.NewSpace(), streams: make([]endpoint, c.Streams)}
	if c.Extensions&spec.Commit != 0 {
		if e.platform, err = memory.NewPlatform(e.space, c.Commit.Platform); err != nil {
			return nil, err
		}
	}
	for i := range e.streams {
		e.streams[i] = endpoint{peer: memory.Peer{Stream: uint32(i)}, closed: true}
	}
	return e, nil
}

// Memory returns the node's memory.
func (e *Engine) Memory() *memory.Space { return e.space }

// SetRegion replaces a row of the STag table.
func (e *Engine) SetRegion(index int, r memory.Region) error { return e.table.Set(index, r) }

// Region returns a row of the STag table; false if the index is out of range.
func (e *Engine) Region(index int) (memory.Region, bool) { return e.table.Get(index) }

// Counters counts events on all streams.
type Counters struct {
	SegmentsReceived     uint64 // all segments
	SegmentsDiscarded    uint64 // of these, for streams that were not open
	SegmentsInError      uint64 // of these, in error: each ended its stream
	OctetsPlaced         uint64
	SegmentsSent         uint64 // Terminates included
	ReadsExecuted        uint64
	AtomicsExecuted      uint64
	FlushesExecuted      uint64
	VerifiesExecuted     uint64 // successfully
	AtomicWritesExecuted uint64
	Invalidations        uint64
	TerminatesSent       uint64
	TerminatesReceived   uint64
	ReceivesCompleted    uint64 // successfully
	RequestsCompleted    uint64 // successfully, signaled or not
	RequestsFlushed      uint64 // receives and work requests
	ProtectionErrors     uint64 // work requests whose local buffer failed the check
	SolicitedEvents      uint64
	StreamsEndedByError  uint64 // by a segment or by a local error
}

// Counters returns the counts since reset.
func (e *Engine) Counters() Counters { return e.counters }

// begin clears the segments returned by Transmit and Execute.
func (e *Engine) begin() { e.tx, e.segments = e.tx[:0], e.segments[:0] }

// emit adds the octets of e.tx from start as a segment.
func (e *Engine) emit(start int) {
	e.segments = append(e.segments, e.tx[start:len(e.tx):len(e.tx)])
	e.counters.SegmentsSent++
}

// emitData adds a segment of a header and octets of memory, and reports whether the read succeeded.
func (e *Engine) emitData(s *endpoint, h *wire.DDPHeader, address uint64, octets int) bool {
	if !e.readable(s, address, octets) {
		return false
	}
	start := len(e.tx)
	e.tx = e.space.Append(h.AppendEncode(e.tx), address, octets)
	e.emit(start)
	return true
}

func (e *Engine) readable(s *endpoint, address uint64, octets int) bool {
	return octets == 0 || e.ReadError == nil || !e.ReadError(s.peer.Stream, address, octets)
}

// place writes received octets of a stream to memory, and reports whether the write succeeded.
func (e *Engine) place(s *endpoint, address uint64, octets []byte) bool {
	if len(octets) == 0 {
		return true
	}
	if e.WriteError != nil && e.WriteError(s.peer.Stream, address, len(octets)) {
		return false
	}
	e.space.Write(address, octets)
	e.counters.OctetsPlaced += uint64(len(octets))
	return true
}
