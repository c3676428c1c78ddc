// Package suite defines the format of vectors.json, independently of how it is generated.
//
// A file is a list of groups. A group is an initial state and the tests that start from it, each separately. The inputs
// of a test are ordered; expected outcomes are listed by port, and ordered where the specification orders them.
package suite

import (
	"github.com/rnicgen/rnicgen/gen"
)

// Schema names the format described here; an incompatible change changes the name.
const Schema = "rnic_vectors_v3.schema.json"

// Suite is a vector file.
type Suite struct {
	Schema        string          `json:"schema"`
	Version       string          `json:"version"` // of the generator
	Generator     string          `json:"generator"`
	Profile       string          `json:"profile"`
	Config        Config          `json:"config"`
	Notes         map[string]Note `json:"notes"` // by flag
	NumberOfTests int             `json:"numberOfTests"`
	Groups        []Group         `json:"groups"`
}

// Config is the configuration for which the tests were chosen, and the seed of random tests as a decimal number.
type Config struct {
	gen.Config
	Seed uint64 `json:"seed,string"`
}

// Note explains a flag.
type Note struct {
	BugType      string   `json:"bugType"`
	Description  string   `json:"description"`
	Requirements []string `json:"requirements"`
}

// Group is an initial state and the tests that start from it, one after the other; the complete state is restored
// before each test.
type Group struct {
	Streams []Stream  `json:"streams"`
	Regions []Region  `json:"regions"`
	Memory  []Octets  `json:"memory"`
	Failing []Failing `json:"failing"`
	Tests   []Test    `json:"tests"`
}

// Stream is an open stream in a protection domain: all its MSNs are 1, and nothing is posted, queued or outstanding.
// All other streams are closed.
type Stream struct {
	Stream uint32 `json:"stream"`
	Domain uint16 `json:"domain"`
}

// Rights of a region, in the order of their bits in the register stag_access.
var Rights = []string{"local_read", "local_write", "remote_read", "remote_write", "remote_atomic", "invalidate"}

// Region is a row of the STag table. It belongs to a stream or a protection domain. A row without rights is invalid,
// and so are rows that are not listed.
type Region struct {
	STag    Hex32         `json:"stag"`
	Rights  []string      `json:"rights"` // Rights and CommitRights
	Stream  *uint32       `json:"stream,omitempty"`
	Domain  *uint16       `json:"domain,omitempty"`
	Base    Hex64         `json:"base"` // TO of the first octet
	Length  Hex64         `json:"length"`
	Address Hex64         `json:"address"`          // of the first octet in memory
	Commit  *RegionCommit `json:"commit,omitempty"` // default: plain memory without an algorithm
}

// Octets is a range of memory with its contents.
type Octets struct {
	Address Hex64     `json:"address"`
	Hex     HexOctets `json:"hex"` // the octet at the lowest address first
}

// Failing is an inclusive range of addresses for which memory responds with an error, or which the platform cannot
// flush.
type Failing struct {
	First   Hex64 `json:"first"`
	Last    Hex64 `json:"last"`
	Reads   bool  `json:"reads"`
	Writes  bool  `json:"writes"`
	Flushes bool  `json:"flushes,omitempty"`

	Response string `json:"response,omitempty"` // one of Responses; default: the first
}

// Responses lists the error responses of memory: SLVERR and DECERR.
var Responses = []string{"slverr", "decerr"}

// Decode reports whether the range responds with DECERR.
func (f *Failing) Decode() bool { return f.Response == Responses[1] }

// Test is a list of inputs, the expected outcomes, and the memory changed afterwards.
type Test struct {
	TcID         int      `json:"tcId"`
	Comment      string   `json:"comment"`
	Flags        []string `json:"flags"`
	Requirements []string `json:"requirements"`
	Decisions    []string `json:"decisions"` // ids in docs/interpretations.md on which its outcomes depend
	Sections     []string `json:"sections"`  // of RFC 5040, RFC 5041, RFC 7306 and of the draft commit that it covers
	Result       string   `json:"result"`
	Input        []Input  `json:"input"`
	Expect       []Expect `json:"expect"`
	Memory       []Octets `json:"memory"`

	Alternatives []Alternative `json:"alternatives,omitempty"` // other outcomes that the specifications permit
	Unspecified  []Range       `json:"unspecified,omitempty"`  // memory that may have any value afterwards
}

// Range is a range of addresses in the group's memory.
type Range struct {
	Address Hex64 `json:"address"`
	Octets  int   `json:"octets"` // at least 1
}

// has reports whether the range contains an address.
func (r Range) has(address Hex64) bool {
	return address >= r.Address && uint64(address-r.Address) < uint64(r.Octets)
}

// Results of a test. The specifications determine the outcomes of Valid and Error tests; in an Error test a Terminate
// is sent or received, or a request fails. The outcomes of an Acceptable test follow decisions of this project, and the
// test lists what else the specifications permit. Of the extension commit, some decisions have no alternative; a test that
// depends on those alone is Valid or Error.
const (
	Valid      = "valid"
	Error      = "error"
	Acceptable = "acceptable"
)

// Alternative is another complete outcome of a test that the specifications permit.
type Alternative struct {
	Decisions   []string `json:"decisions"`
	Expect      []Expect `json:"expect"`
	Memory      []Octets `json:"memory"`
	Unspecified []Range  `json:"unspecified,omitempty"`
}

// Ports of inputs.
const (
	PortRx      = "s_axis_rx"
	PortWork    = "s_axis_wqe"
	PortReceive = "s_axis_rqe"
	PortControl = "s_axil"
	PortTx      = "m_axis_tx"         // can be held
	PortFlushed = "s_axis_flush_done" // can be held, with the extension commit
)

// Input is one input. With Wait it is applied after all outcomes of earlier inputs, when the design is idle; without,
// it directly follows the previous input, which is on the same port.
type Input struct {
	Port    string    `json:"port"`
	Wait    bool      `json:"wait"`
	Stream  *uint32   `json:"stream,omitempty"`  // of a segment
	Hex     HexOctets `json:"hex,omitempty"`     // s_axis_rx: a DDP segment; absent: an empty one
	Work    *Work     `json:"work,omitempty"`    // s_axis_wqe
	Receive *Receive  `json:"receive,omitempty"` // s_axis_rqe
	Region  *Region   `json:"region,omitempty"`  // s_axil: store a row
	Open    *Stream   `json:"open,omitempty"`    // s_axil: open a stream
	Shut    *uint32   `json:"shut,omitempty"`    // s_axil: shut a stream
	Read    string    `json:"read,omitempty"`    // s_axil: read a register
	Hold    *bool     `json:"hold,omitempty"`    // m_axis_tx: true: stop accepting output, false: accept it again; s_axis_flush_done: likewise answers
	Copy    *Copy     `json:"copy,omitempty"`    // s_axis_rx: octets that the design under test has chosen
}

// Copy replaces four octets of an input segment by four actual output octets, with some bits inverted. For a design
// with the outcome of the test, the segment does not change.
type Copy struct {
	At     int   `json:"at"`     // octet offset in the segment
	Expect int   `json:"expect"` // index of the outcome in the test
	From   int   `json:"from"`   // octet offset in the outcome
	Xor    Hex32 `json:"xor"`    // bits to invert
}

// CopyOctets is the number of octets of a Copy.
const CopyOctets = 4

// Buffer is a position in a tagged buffer.
type Buffer struct {
	STag Hex32 `json:"stag"`
	TO   Hex64 `json:"to"`
}

// Work is a work request.
type Work struct {
	Stream   uint32    `json:"stream"`
	ID       Hex64     `json:"id"`
	Signaled bool      `json:"signaled"`
	Opcode   int       `json:"opcode"`
	Local    Buffer    `json:"local"`
	Length   uint32    `json:"length"`
	Remote   Buffer    `json:"remote"`
	Operands *Operands `json:"operands,omitempty"` // of Atomics; of Immediate Data, Data

	Commit *WorkCommit `json:"commit,omitempty"` // of a Flush, Verify or Atomic Write
}

// Operands holds the operands of an Atomic.
type Operands struct {
	AOpCode     int   `json:"aopcode"`
	Data        Hex64 `json:"data"`
	Mask        Hex64 `json:"mask"`
	CompareData Hex64 `json:"compareData"`
	CompareMask Hex64 `json:"compareMask"`
}

// Receive is a receive request.
type Receive struct {
	Stream uint32 `json:"stream"`
	ID     Hex64  `json:"id"`
	Buffer Buffer `json:"buffer"`
	Length uint32 `json:"length"`
}

// Ports of expected outcomes, in addition to m_axis_tx.
const (
	PortCompletion = "m_axis_cqe"
	PortEvent      = "m_axis_event"
	PortFlush      = "m_axis_flush" // with the extension commit
)

// Expect is one expected outcome.
//
// Within a stream, the following sequences are each in the order of the list. On m_axis_tx: the responses (Read
// Responses, Atomic Responses and the Terminate) and the requests (all others); the messages of the two may interleave,
// but nothing follows the Terminate. On m_axis_cqe: the completions of receives and those of work requests. On
// m_axis_event: the events. There is no other order: the flushes on m_axis_flush may appear in any.
type Expect struct {
	Input      int         `json:"input"` // index of its cause, if everything happens as early as possible
	Port       string      `json:"port"`
	Stream     uint32      `json:"stream"`
	Hex        HexOctets   `json:"hex,omitempty"`        // m_axis_tx
	Completion *Completion `json:"completion,omitempty"` // m_axis_cqe
	Event      *Event      `json:"event,omitempty"`      // m_axis_event
	Register   *Register   `json:"register,omitempty"`   // s_axil: the value read; of no stream
	Flush      *Flush      `json:"flush,omitempty"`      // m_axis_flush; of no stream
	Memory     []Octets    `json:"memory,omitempty"`     // contents of memory at that time
	Allowed    *Allowed    `json:"allowed,omitempty"`    // m_axis_tx: what else the specifications permit
}

// Allowed describes how a segment may differ from Hex where a decision of this project settles what the specifications
// leave open.
type Allowed struct {
	Decisions []string  `json:"decisions"`
	Mask      HexOctets `json:"mask,omitempty"`  // as long as Hex: the bits to compare; absent: all
	Tail      bool      `json:"tail,omitempty"`  // the segment may end anywhere after the last octet with a compared bit
	Codes     []Code    `json:"codes,omitempty"` // other codes of a Terminate; the stream's event terminate_sent has the same one
}

// Code is what a Terminate reports: RFC 5040 section 4.8.
type Code struct {
	Layer int `json:"layer"`
	EType int `json:"etype"`
	Code  int `json:"code"`
}

// Statuses lists the statuses of a completion by number. 3 of a work request is Mismatch.
var Statuses = []string{"success", "flushed", "protection", "memory"}

// Completion is the end of a request. The fields after Opcode are present only on success; otherwise they are
// meaningless and not compared.
type Completion struct {
	ID     Hex64   `json:"id"`
	Recv   bool    `json:"recv"`
	Status string  `json:"status"`
	Opcode int     `json:"opcode"`
	Length *uint32 `json:"length,omitempty"`
	Data   *Hex64  `json:"data,omitempty"`
	STag   *Hex32  `json:"stag,omitempty"`
}

// Kinds lists the kinds of an event by number.
var Kinds = []string{"solicited", TerminateSent, TerminateReceived, "receive_refused"}

// TerminateSent is the kind of an event that reports a Terminate on m_axis_tx.
const TerminateSent = "terminate_sent"

// TerminateReceived is the kind of an event that reports a Terminate on s_axis_rx.
const TerminateReceived = "terminate_received"

// Event is a report to the host other than a completion.
type Event struct {
	Kind  string `json:"kind"`
	Layer int    `json:"layer"` // Layer to Code: of the Terminate, else 0
	EType int    `json:"etype"`
	Code  int    `json:"code"`
}

// Each calls f with every test and its group, in order.
func (s *Suite) Each(f func(g *Group, t *Test)) {
	for i := range s.Groups {
		for j := range s.Groups[i].Tests {
			f(&s.Groups[i], &s.Groups[i].Tests[j])
		}
	}
}
