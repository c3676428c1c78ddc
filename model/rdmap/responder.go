package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// MaxStreams bounds Config.Streams.
const MaxStreams = 16384

// Config describes a responder.
type Config struct {
	Streams     int    // 1..MaxStreams; streams are numbered from 0
	WindowWords int    // 64-bit words of the window, 1..memory.MaxWords
	WindowSTag  uint32 // the STag of the window, for all streams
	WindowBase  uint64 // TO of the window's first octet
	Draft00     bool   // AOpCode 0001b is Swap (I-03)
}

// stream is the state of one RDMAP stream.
type stream struct {
	terminated bool   // there was an error: nothing more happens on the stream
	msn        uint32 // MSN of the next Atomic Response, on QN 3
}

// Responder is the state of all streams and of the memory they share.
type Responder struct {
	config  Config
	window  *memory.Window
	streams []stream
	tx      []byte // the last response
}

// New makes a responder after reset: zeros in memory, no stream terminated, the next response of each
// stream MSN 1 (RFC 5041 section 4.3).
func New(c Config) (*Responder, error) {
	if c.Streams < 1 || c.Streams > MaxStreams {
		return nil, fmt.Errorf("rdmap: Streams is %d; allowed: 1..%d", c.Streams, MaxStreams)
	}
	window, err := memory.New(memory.Config{STag: c.WindowSTag, Base: c.WindowBase, Words: c.WindowWords})
	if err != nil {
		return nil, fmt.Errorf("rdmap: window: %w", err)
	}
	r := &Responder{config: c, window: window, streams: make([]stream, c.Streams), tx: make([]byte, 0, 32)}
	for i := range r.streams {
		r.streams[i].msn = 1
	}
	return r, nil
}

// Outcome is the one thing that a segment leads to: a Response when it was executed, a Record otherwise.
type Outcome struct {
	Executed bool

	// When Executed.
	Response []byte // the Atomic Response segment, on the same stream; valid until the next Receive
	Retired  Retired

	// When not Executed.
	Record  Record
	Payload []byte // octets that go with the record; shares memory with the segment
}

// Retired is one access to the window, in the order in which accesses take effect.
type Retired struct {
	Host     bool   // through the host port
	Stream   uint32 // 0 for the host
	Opcode   uint8  // AOpCode; for the host 0 read, 1 write
	Index    int    // word of the window
	Original uint64 // word before the access
	Result   uint64 // word after it
}

// Receive takes the next segment of a stream. The error is about the caller, not the segment: a stream that
// does not exist or a segment longer than wire.MaxSegment.
//
// After its first error a stream is terminated: its later segments have records of their own but no effect
// (ErrStreamTerminated). Other streams go on undisturbed.
func (r *Responder) Receive(number uint32, segment []byte) (o Outcome, err error) {
	if err := r.check(number); err != nil {
		return o, err
	}
	if len(segment) > wire.MaxSegment {
		return o, fmt.Errorf("rdmap: segment has %d octets; allowed: 0..%d", len(segment), wire.MaxSegment)
	}
	stream := &r.streams[number]
	s, kind := wire.Classify(segment)
	if !stream.terminated && kind == wire.ErrNone && s.Header.Opcode == wire.OpAtomicRequest {
		var request wire.AtomicRequest
		_ = request.Decode(s.Payload) // refuses nothing but the length, which Classify has checked
		var index int
		if index, kind = r.admit(&request); kind == wire.ErrNone {
			o.Executed = true
			o.Response, o.Retired = r.execute(number, stream, index, &request)
			return o, nil
		}
	}
	o.Payload = o.Record.take(number, segment, &s, kind)
	if stream.terminated {
		// The record keeps what the parser found, payload included, but for the error and its code.
		o.Record.Error, o.Record.Term = wire.ErrStreamTerminated, wire.TerminateCode{}
	}
	stream.terminated = stream.terminated || kind != wire.ErrNone
	return o, nil
}

// admit checks a well-formed request: an operation that is executed here (RFC 7306 section 5.2.1, item 4),
// then an address that names a word of the window.
func (r *Responder) admit(request *wire.AtomicRequest) (index int, kind wire.ErrorKind) {
	if !request.AOpCode.Supported(r.config.Draft00) {
		return 0, wire.ErrAtomicOpcode
	}
	return r.window.Resolve(request.RemoteSTag, request.RemoteTO)
}

// execute performs an admitted request and answers it, RFC 7306 sections 5.1 and 5.2.2.
func (r *Responder) execute(number uint32, stream *stream, index int, request *wire.AtomicRequest) (response []byte, retired Retired) {
	original, _ := r.window.Load(index)
	result := atomic.Execute(request.AOpCode, original, request.Data, request.Mask, request.CompareData, request.CompareMask)
	r.window.Store(index, result)

	r.tx = wire.AppendAtomicResponse(r.tx[:0], stream.msn, wire.AtomicResponse{
		OriginalRequestIdentifier: request.RequestIdentifier,
		OriginalRemoteDataValue:   original,
	})
	stream.msn++ // modulo 2^32, RFC 5041 section 4.3
	return r.tx, Retired{Stream: number, Opcode: uint8(request.AOpCode), Index: index, Original: original, Result: result}
}

// HostAccess reads word index, or replaces it by data when write is set, as the host port does: between two
// requests, never inside one. Original of the result is what the host port answers.
func (r *Responder) HostAccess(write bool, index int, data uint64) (Retired, error) {
	original, ok := r.window.Load(index)
	if !ok {
		return Retired{}, fmt.Errorf("rdmap: word %d; allowed: 0..%d", index, r.window.Words()-1)
	}
	access := Retired{Host: true, Index: index, Original: original, Result: original}
	if write {
		access.Opcode, access.Result = 1, data
		r.window.Store(index, data)
	}
	return access, nil
}

// Setup starts a stream anew: it is not terminated, and its next response has this MSN.
func (r *Responder) Setup(number uint32, msn uint32) error {
	if err := r.check(number); err != nil {
		return err
	}
	r.streams[number] = stream{msn: msn}
	return nil
}

// Terminated tells whether a stream had an error.
func (r *Responder) Terminated(number uint32) bool {
	return r.check(number) == nil && r.streams[number].terminated
}

func (r *Responder) check(number uint32) error {
	if uint64(number) < uint64(len(r.streams)) {
		return nil
	}
	return fmt.Errorf("rdmap: stream %d; allowed: 0..%d", number, len(r.streams)-1)
}
