package suite

import "github.com/rnicgen/rnicgen/vectors/suite"

// Forms of numbers and octets, as in the profile rdmap.
type (
	Hex32     = suite.Hex32
	Hex64     = suite.Hex64
	HexOctets = suite.HexOctets
)

// Request is a push or pull request as it passes between the design and Falcon.
type Request struct {
	CID    uint32    `json:"cid"` // of the side of the design
	RSN    uint32    `json:"rsn"`
	Type   string    `json:"type"`
	Length int       `json:"length"` // Request Length: of a push its own octets, of a pull those of the response
	Hex    HexOctets `json:"hex"`    // the RDMA packet, from RBTH on
}

// Reply is the answer to a request.
type Reply struct {
	CID     uint32 `json:"cid"`
	RSN     uint32 `json:"rsn"`
	Reply   string `json:"reply"`
	NACK    int    `json:"nack,omitempty"`    // Falcon's code: FTP 7.8
	ULP     int    `json:"ulp,omitempty"`     // ULP NACK code of cie and nre
	Timeout *uint8 `json:"timeout,omitempty"` // of rnr
}

// Response is pull data.
type Response struct {
	CID uint32    `json:"cid"`
	RSN uint32    `json:"rsn"`
	Hex HexOctets `json:"hex"`
}

// Complete is the completion of a transaction by Falcon.
type Complete struct {
	CID  uint32 `json:"cid"`
	RSN  uint32 `json:"rsn"`
	Code int    `json:"code"` // FTP 11
	ULP  int    `json:"ulp,omitempty"`
}

// CIDCredit is a return of credits.
type CIDCredit struct {
	CID     uint32  `json:"cid"`
	Credits Credits `json:"credits"`
}

// Element is an entry of a scatter-gather list.
type Element struct {
	Key    Hex32  `json:"key"`
	VA     Hex64  `json:"va"`
	Length uint32 `json:"length"`
}

// Work is a work request.
type Work struct {
	QP         uint32    `json:"qp"`
	ID         Hex64     `json:"id"`
	Kind       string    `json:"kind"`
	Suffix     string    `json:"suffix,omitempty"`
	Local      []Element `json:"local"`
	Remote     *Remote   `json:"remote,omitempty"`
	Immediate  Hex32     `json:"immediate,omitzero"`
	Invalidate Hex32     `json:"invalidate,omitzero"`
	Solicited  bool      `json:"solicited,omitempty"`
	Fence      bool      `json:"fence,omitempty"`
	Operands   *Operands `json:"operands,omitempty"` // of Atomics
	SRQ        *uint32   `json:"srq,omitempty"`      // of XRC
	Address    *Address  `json:"address,omitempty"`  // of UD
}

// Remote is a place in a region of the peer.
type Remote struct {
	Key Hex32 `json:"key"`
	VA  Hex64 `json:"va"`
}

// Operands holds the operands of an Atomic.
type Operands struct {
	Data        Hex64 `json:"data"`
	CompareData Hex64 `json:"compareData"`
}

// Address is an address handle.
type Address struct {
	CID  uint32 `json:"cid"`
	QP   uint32 `json:"qp"`
	QKey Hex32  `json:"qKey"`
}

// Receive is a receive request of a QP or of a shared receive queue.
type Receive struct {
	QP    *uint32   `json:"qp,omitempty"`
	SRQ   *uint32   `json:"srq,omitempty"`
	ID    Hex64     `json:"id"`
	Local []Element `json:"local"`
}

// Completion is the end of a work or receive request. Members after Status are there with success only.
type Completion struct {
	QP     uint32 `json:"qp"`
	ID     Hex64  `json:"id"`
	Recv   bool   `json:"recv"`
	Status string `json:"status"`

	Kind        string  `json:"kind,omitempty"`
	Length      *uint32 `json:"length,omitempty"` // not of the receive of a Write with Immediate
	Data        *Hex64  `json:"data,omitempty"`   // of an Atomic: the original value
	Suffix      string  `json:"suffix,omitempty"` // this and the following: of a receive
	Immediate   *Hex32  `json:"immediate,omitempty"`
	Invalidated *Hex32  `json:"invalidated,omitempty"`
	Solicited   bool    `json:"solicited,omitempty"`
	SourceQP    *uint32 `json:"sourceQp,omitempty"` // of a datagram
}

// Event reports that a QP has gone to Error. Cause is for the reader: a rule, a completion code of Falcon, or local.
type Event struct {
	QP    uint32 `json:"qp"`
	Cause string `json:"cause"`
}
