// Package suite is the form of a vector file: what is in vectors.json, and nothing of how it came to be.
//
// A file is a list of groups, a group an initial state and the tests that start from it, each by itself. The inputs of a test
// are ordered; what has to come out is listed by port, and ordered where the specification orders it.
package suite

import (
	"github.com/rnicgen/rnicgen/gen"
)

// Schema names the form described here; a change that a reader would notice changes the name.
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

// Config is what the tests were chosen for, and the seed of the random ones, a decimal number.
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

// Group is an initial state and the tests that start from it, one after the other: before each of them the whole state is
// made anew.
type Group struct {
	Streams []Stream  `json:"streams"`
	Regions []Region  `json:"regions"`
	Memory  []Octets  `json:"memory"`
	Failing []Failing `json:"failing"`
	Tests   []Test    `json:"tests"`
}

// Stream is one that is open, in a protection domain: all its MSNs are 1, and nothing is posted, queued or outstanding. All
// others are shut.
type Stream struct {
	Stream uint32 `json:"stream"`
	Domain uint16 `json:"domain"`
}

// Rights of a region, in the order of their bits in the register stag_access.
var Rights = []string{"local_read", "local_write", "remote_read", "remote_write", "remote_atomic", "invalidate"}

// Region is a row of the STag table. It belongs to a stream or to a protection domain. One without rights is not valid.
// Rows that are not listed are not valid.
type Region struct {
	STag    Hex32    `json:"stag"`
	Rights  []string `json:"rights"`
	Stream  *uint32  `json:"stream,omitempty"`
	Domain  *uint16  `json:"domain,omitempty"`
	Base    Hex64    `json:"base"` // TO of the first octet
	Length  Hex64    `json:"length"`
	Address Hex64    `json:"address"` // of the first octet in memory
}

// Octets are some of memory.
type Octets struct {
	Address Hex64     `json:"address"`
	Hex     HexOctets `json:"hex"` // the octet at the lowest address first
}

// Failing is a range of addresses, both ends included, in which memory answers with an error.
type Failing struct {
	First  Hex64 `json:"first"`
	Last   Hex64 `json:"last"`
	Reads  bool  `json:"reads"`
	Writes bool  `json:"writes"`

	Response string `json:"response,omitempty"` // one of Responses; without one it is the first
}

// Responses of memory that fails: SLVERR and DECERR.
var Responses = []string{"slverr", "decerr"}

// Decode reports whether the range answers DECERR.
func (f *Failing) Decode() bool { return f.Response == Responses[1] }

// Test is what goes in, what has to come out, and what of memory has changed afterwards.
type Test struct {
	TcID         int      `json:"tcId"`
	Comment      string   `json:"comment"`
	Flags        []string `json:"flags"`
	Requirements []string `json:"requirements"`
	Decisions    []string `json:"decisions"` // of docs/interpretations.md, that its outcomes rest on
	Sections     []string `json:"sections"`  // of RFC 5040, RFC 5041 and RFC 7306, that it is about
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

// has reports whether the range has an octet.
func (r Range) has(address Hex64) bool {
	return address >= r.Address && uint64(address-r.Address) < uint64(r.Octets)
}

// Results of a test. Valid and Error have outcomes that the specifications demand; Error is one in which a Terminate is sent or
// comes, or a request does not succeed. The outcomes of an Acceptable test follow decisions of this project, and the test says
// what else the specifications permit.
const (
	Valid      = "valid"
	Error      = "error"
	Acceptable = "acceptable"
)

// Alternative is another outcome of a whole test that the specifications permit, for the decisions are free.
type Alternative struct {
	Decisions   []string `json:"decisions"`
	Expect      []Expect `json:"expect"`
	Memory      []Octets `json:"memory"`
	Unspecified []Range  `json:"unspecified,omitempty"`
}

// Ports that inputs name.
const (
	PortRx      = "s_axis_rx"
	PortWork    = "s_axis_wqe"
	PortReceive = "s_axis_rqe"
	PortControl = "s_axil"
	PortTx      = "m_axis_tx" // which can be held
)

// Input is one thing that goes in. With Wait it does so when everything before it has had its outcomes and the design is at
// rest; without, it follows the input before, which is on the same port, without a pause.
type Input struct {
	Port    string    `json:"port"`
	Wait    bool      `json:"wait"`
	Stream  *uint32   `json:"stream,omitempty"`  // of a segment
	Hex     HexOctets `json:"hex,omitempty"`     // s_axis_rx: a DDP segment, none is an empty one
	Work    *Work     `json:"work,omitempty"`    // s_axis_wqe
	Receive *Receive  `json:"receive,omitempty"` // s_axis_rqe
	Region  *Region   `json:"region,omitempty"`  // s_axil: store a row
	Open    *Stream   `json:"open,omitempty"`    // s_axil: open a stream
	Shut    *uint32   `json:"shut,omitempty"`    // s_axil: shut a stream
	Read    string    `json:"read,omitempty"`    // s_axil: read a register
	Hold    *bool     `json:"hold,omitempty"`    // m_axis_tx: true: nothing is taken from now on, false: everything again
	Copy    *Copy     `json:"copy,omitempty"`    // s_axis_rx: octets that the design under test has chosen
}

// Copy replaces four octets of a segment that goes in by four that came out, with some bits inverted. A design that does what
// the test says leaves the segment as it is.
type Copy struct {
	At     int   `json:"at"`     // octet of the segment
	Expect int   `json:"expect"` // outcome of the test, from 0
	From   int   `json:"from"`   // octet of that
	Xor    Hex32 `json:"xor"`    // bits that are inverted
}

// CopyOctets is how many octets a Copy has.
const CopyOctets = 4

// Buffer is a place in a tagged buffer.
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
}

// Operands are those of an Atomic.
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

// Ports that expectations name, beside m_axis_tx.
const (
	PortCompletion = "m_axis_cqe"
	PortEvent      = "m_axis_event"
)

// Expect is one thing that comes out.
//
// Of one stream, these come in the order of the list, each sequence by itself: on m_axis_tx the answers (Read Responses,
// Atomic Responses and the Terminate) and the requests (all others), where the messages of the one come between those of the
// other, but nothing behind the Terminate; on m_axis_cqe the completions of receives and those of work requests; on
// m_axis_event the events. There is no other order.
type Expect struct {
	Input      int         `json:"input"` // that it follows from, when everything happens as soon as it can
	Port       string      `json:"port"`
	Stream     uint32      `json:"stream"`
	Hex        HexOctets   `json:"hex,omitempty"`        // m_axis_tx
	Completion *Completion `json:"completion,omitempty"` // m_axis_cqe
	Event      *Event      `json:"event,omitempty"`      // m_axis_event
	Register   *Register   `json:"register,omitempty"`   // s_axil: what was read, of no stream
	Memory     []Octets    `json:"memory,omitempty"`     // what is in memory when it comes
	Allowed    *Allowed    `json:"allowed,omitempty"`    // m_axis_tx: what else the specifications permit
}

// Allowed is how a segment may differ from Hex where a decision of this project chose what the specifications leave open.
type Allowed struct {
	Decisions []string  `json:"decisions"`
	Mask      HexOctets `json:"mask,omitempty"`  // as long as Hex: the bits that count; none: all do
	Tail      bool      `json:"tail,omitempty"`  // the segment may end anywhere behind the last octet of which a bit counts
	Codes     []Code    `json:"codes,omitempty"` // of a Terminate: others; the event terminate_sent of the stream has the same one
}

// Code is what a Terminate reports: RFC 5040 section 4.8.
type Code struct {
	Layer int `json:"layer"`
	EType int `json:"etype"`
	Code  int `json:"code"`
}

// Statuses of a completion, by their numbers.
var Statuses = []string{"success", "flushed", "protection", "memory"}

// Completion is the end of a request. What follows Opcode is there in success only; otherwise it means nothing, and is not
// compared.
type Completion struct {
	ID     Hex64   `json:"id"`
	Recv   bool    `json:"recv"`
	Status string  `json:"status"`
	Opcode int     `json:"opcode"`
	Length *uint32 `json:"length,omitempty"`
	Data   *Hex64  `json:"data,omitempty"`
	STag   *Hex32  `json:"stag,omitempty"`
}

// Kinds of an event, by their numbers.
var Kinds = []string{"solicited", TerminateSent, TerminateReceived, "receive_refused"}

// TerminateSent is the kind of an event that tells of a Terminate on m_axis_tx.
const TerminateSent = "terminate_sent"

// TerminateReceived is the kind of an event that tells of a Terminate on s_axis_rx.
const TerminateReceived = "terminate_received"

// Event is what the host is told beside completions.
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
