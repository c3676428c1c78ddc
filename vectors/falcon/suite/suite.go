// Package suite defines the format of vectors.json of the profile falcon.
//
// A file is a list of groups. A group is a set-up, and the tests that start from it, each separately. A test is a list of
// steps: what is given to the design, and all that it must put out before the next step. Members that mean the same as
// in the format of the profile rdmap have the same names.
package suite

import "github.com/rnicgen/rnicgen/vectors/suite"

// Schema names the format described here; an incompatible change changes the name.
const Schema = "falcon_vectors_v1.schema.json"

// Suite is a vector file.
type Suite struct {
	Schema        string                `json:"schema"`
	Version       string                `json:"version"` // of the generator
	Generator     string                `json:"generator"`
	Profile       string                `json:"profile"`
	Config        Seeded                `json:"config"`
	Notes         map[string]suite.Note `json:"notes"` // by flag
	NumberOfTests int                   `json:"numberOfTests"`
	Groups        []Group               `json:"groups"`
}

// Seeded is the configuration for which the tests were written, and the seed of memory and of random choices.
type Seeded struct {
	Config
	Seed uint64 `json:"seed,string"`
}

// Group is a set-up and its tests. The complete set-up is restored before each test.
type Group struct {
	Number       uint32       `json:"number"` // of every first SN and RMSN: 1 unless a test is about their wrap
	Credits      []Credits    `json:"credits"`
	Connections  []Connection `json:"connections"`
	SharedQueues []uint32     `json:"srqs"`
	XRCDomains   []XRCDomain  `json:"xrcDomains,omitempty"` // of shared queues; the others are in domain 0
	QPs          []QP         `json:"qps"`
	Regions      []Region     `json:"regions"`
	Memory       []Memory     `json:"memory"`
	Tests        []Test       `json:"tests"`
}

// Connection is this side of a Falcon connection.
type Connection struct {
	CID      uint32  `json:"cid"` // of this side
	Ordered  bool    `json:"ordered"`
	RSN      uint32  `json:"rsn"` // of the first request of this side
	Window   int     `json:"window"`
	Function uint16  `json:"function"`
	Credits  Credits `json:"credits"`
}

// Credits counts the resources of Falcon, FTP 8.2.3. In a group it limits what a function, or without one the host, uses
// together.
type Credits struct {
	Function *uint16 `json:"function,omitempty"`

	RequestTxPackets int `json:"requestTxPackets"`
	RequestTxBuffers int `json:"requestTxBuffers"`
	RequestRxPackets int `json:"requestRxPackets"`
	RequestRxBuffers int `json:"requestRxBuffers"`
	DataTxPackets    int `json:"dataTxPackets"`
	DataTxBuffers    int `json:"dataTxBuffers"`
}

// XRCDomain is the XRC domain of a shared receive queue (I-119).
type XRCDomain struct {
	SRQ    uint32 `json:"srq"`
	Domain uint16 `json:"domain"`
}

// QP is a QP that is ready to send and receive.
type QP struct {
	QP         uint32  `json:"qp"`
	Type       string  `json:"type"`
	Ordering   string  `json:"ordering"`
	Errors     string  `json:"errors"`
	Domain     uint16  `json:"domain"`
	MTU        int     `json:"mtu"`
	CID        *uint32 `json:"cid,omitempty"`    // of RC and XRC
	Remote     *uint32 `json:"remote,omitempty"` // of RC and XRC: the peer's QP
	QKey       *Hex32  `json:"qKey,omitempty"`   // of UD
	SRQ        *uint32 `json:"srq,omitempty"`    // its receives come from there
	XRCDomain  uint16  `json:"xrcDomain,omitempty"`
	IRRQ       int     `json:"irrq"`
	ORD        int     `json:"ord"`
	SendDepth  int     `json:"sendDepth"`
	RNRTimeout uint8   `json:"rnrTimeout"` // code of FTP 7.8
}

// Region is a row of the table of regions. One without rights is invalid, and so are keys that are not listed. It belongs to a
// QP or to a protection domain.
type Region struct {
	Key     Hex32    `json:"key"` // R-Key and L-Key
	Rights  []string `json:"rights"`
	QP      *uint32  `json:"qp,omitempty"`
	Domain  *uint16  `json:"domain,omitempty"`
	Base    Hex64    `json:"base"` // VA of the first octet
	Length  Hex64    `json:"length"`
	Address Hex64    `json:"address"` // of the first octet in memory
}

// Memory is a range of memory whose octets follow from a seed: see Fill.
type Memory struct {
	Address Hex64  `json:"address"`
	Octets  int    `json:"octets"`
	Seed    uint32 `json:"seed"`
}

// Test is a list of steps, and the memory afterwards.
type Test struct {
	TcID         int            `json:"tcId"`
	Comment      string         `json:"comment"`
	Flags        []string       `json:"flags"`
	Requirements []string       `json:"requirements"`
	Decisions    []string       `json:"decisions"` // ids in docs/interpretations.md on which its outcomes depend
	Sections     []string       `json:"sections"`
	Result       string         `json:"result"` // suite.Valid or suite.Error
	Steps        []Step         `json:"steps"`
	InError      []uint32       `json:"inError"` // QPs that are in Error afterwards
	Memory       []suite.Octets `json:"memory"`  // what has changed
	Digest       string         `json:"digest"`  // SHA-256 of all ranges of the group's memory, one after the other
}

// Step is one input, of which exactly one of Work to Fail is there, and its outcomes.
type Step struct {
	Work     *Work      `json:"work,omitempty"`     // from the host
	Receive  *Receive   `json:"receive,omitempty"`  // from the host
	Region   *Region    `json:"region,omitempty"`   // from the host: replace a row
	Fail     *uint32    `json:"fail,omitempty"`     // from the host: move a QP to Error
	Request  *Request   `json:"request,omitempty"`  // from Falcon: of the peer
	Response *Response  `json:"response,omitempty"` // from Falcon: to a pull of this side
	Complete *Complete  `json:"complete,omitempty"` // from Falcon: of a request of this side
	Return   *CIDCredit `json:"return,omitempty"`   // from Falcon: credits of a connection
	Xoff     *bool      `json:"xoff,omitempty"`     // from Falcon

	Breaks string   `json:"breaks,omitempty"` // rule that the packet breaks
	Expect []Expect `json:"expect"`
}

// Expect is one outcome, of which exactly one member is there.
type Expect struct {
	Reply      *Reply      `json:"reply,omitempty"`    // to Falcon: of the request in this step
	Request    *Request    `json:"request,omitempty"`  // to Falcon
	Response   *Response   `json:"response,omitempty"` // to Falcon: to a pull of the peer
	Completion *Completion `json:"completion,omitempty"`
	Event      *Event      `json:"event,omitempty"`
	Refused    bool        `json:"refused,omitempty"` // the host's work request is not taken
}
