// Package suite is the form of a vector file: what is in vectors.json, and nothing of how it came to be.
//
// A file is a list of groups, a group an initial state and the tests that start from it. All tests of a
// group use the group's window, but no two of them use the same stream or the same word of the window. So
// a test may be run alone from the group's state, or all of them in one go and in any order, and nothing
// needs to persist from one test to another, or from one group to the next.
package suite

import (
	"github.com/rnicgen/rnicgen/gen"
)

// Schema names the form described here; a change that a reader would notice changes the name.
const Schema = "rnic_vectors_v1.schema.json"

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

// Config is what the tests were chosen for, and the seed of the random ones.
type Config struct {
	gen.Config
	Seed uint64 `json:"seed"`
}

// Note explains a flag.
type Note struct {
	BugType      string   `json:"bugType"`
	Description  string   `json:"description"`
	Requirements []string `json:"requirements"`
}

// Group is an initial state and the tests that start from it.
type Group struct {
	Streams []Stream `json:"streams"`
	Regions []Region `json:"regions"` // one, the window
	Tests   []Test   `json:"tests"`
}

// Stream is open, without an error, and its next Atomic Response has the Message Sequence Number MSN.
type Stream struct {
	Stream uint32 `json:"stream"`
	MSN    uint32 `json:"msn"`
}

// Region is a memory window. Words that Memory does not list are undefined.
type Region struct {
	Name   string `json:"name"`
	STag   Hex32  `json:"stag"`
	Base   Hex64  `json:"base"` // TO of the first octet
	Words  int    `json:"words"`
	Memory []Word `json:"memory"`
}

// Word is one 64-bit word of the window.
type Word struct {
	Index int   `json:"index"`
	Data  Hex64 `json:"data"`
}

// Results of a test: error when an outcome of it reports an error.
const (
	Valid = "valid"
	Error = "error"
)

// Test is what goes in, what has to come out, and the words of the window afterwards.
type Test struct {
	TcID         int          `json:"tcId"`
	Comment      string       `json:"comment"`
	Flags        []string     `json:"flags"`
	Requirements []string     `json:"requirements"`
	Result       string       `json:"result"`
	Input        []Input      `json:"input"`
	Expect       []Expect     `json:"expect"`
	Memory       []MemoryWord `json:"memory"`
}

// Ports of the design that inputs name.
const (
	PortRx    = "s_axis_rx" // Hex is a DDP segment
	PortSetup = "s_setup"   // Hex is the MSN, 4 octets
	PortHost  = "s_host"    // Hex is 0 read or 1 write (1 octet), the word's index (4), the word to write (8)
	PortReset = "rst"       // Hex is empty
)

// Input is one segment or, on the other ports, one access. Segments follow each other without a pause.
// Anything else waits until everything before it has had its outcome, and is over before what is behind it.
// After a reset all streams are open with MSN 1, and all words of the window are undefined.
type Input struct {
	Port   string `json:"port"`
	Stream uint32 `json:"stream"` // 0 where the port has none
	Hex    Octets `json:"hex"`
}

// Ports of the design that expectations name.
const (
	PortTx      = "m_axis_tx"
	PortRecord  = "m_record"
	PortPayload = "m_axis_payload"
	PortAnswer  = "m_host"
	PortRetire  = "retire"
)

// Expect is one outcome. Those of one port come in the order of the list; between ports there is no order.
type Expect struct {
	Input  int     `json:"input"` // the input that it is the outcome of, from 0
	Port   string  `json:"port"`
	Stream uint32  `json:"stream"`           // 0 where the port has none
	Hex    Octets  `json:"hex,omitempty"`    // octets of a packet; of m_host the word, none when it is undefined
	Record *Record `json:"record,omitempty"` // with m_record
	Retire *Retire `json:"retire,omitempty"` // with retire
}

// Record is what m_record reports of a segment.
type Record struct {
	Error         string `json:"error"` // name of Code
	Code          int    `json:"code"`
	TermLayer     int    `json:"termLayer"`
	TermEtype     int    `json:"termEtype"`
	TermCode      int    `json:"termCode"`
	SegmentLength int    `json:"segmentLength"`
	PayloadLength int    `json:"payloadLength"`
	Header        Octets `json:"header"` // first 70 octets of the segment, or all of a shorter one; the rest is zero
}

// Retire is what the retire port reports of an Atomic Request. Reports of host accesses are not compared.
type Retire struct {
	Opcode   int   `json:"opcode"`
	Index    int   `json:"index"`
	Original Hex64 `json:"original"`
	Result   Hex64 `json:"result"`
}

// MemoryWord is a word that the host reads when the test is over.
type MemoryWord struct {
	Region string `json:"region"`
	Word
}

// WindowName is the name of the only region.
const WindowName = "window"

// Each calls f with every test and its group, in order.
func (s *Suite) Each(f func(g *Group, t *Test)) {
	for i := range s.Groups {
		for j := range s.Groups[i].Tests {
			f(&s.Groups[i], &s.Groups[i].Tests[j])
		}
	}
}
