package falcon

import "github.com/rnicgen/rnicgen/model/falcon/spec"

// Request is a push or pull request as it passes between an engine and Falcon, on either side.
type Request struct {
	CID    uint32 // of the side where it passes (I-30)
	RSN    uint32
	Type   spec.PacketType // PushRequest or PullRequest
	Length int             // Request Length: of a push its own octets, of a pull those of the response (I-75)
	Octets []byte          // the RDMA packet
}

// Answer is what the target returns for a request. A pull that is acknowledged gets its Response later.
type Answer struct {
	CID, RSN uint32
	Reply    spec.Reply   // Ack, or a NACK
	Code     spec.ULPCode // of CIE and NRE
	Timeout  uint8        // of RNR: code of spec.RNRTimeouts
}

// Response is a pull response, on either side.
type Response struct {
	CID, RSN uint32
	Octets   []byte
}

// Completed is the completion of a push, or of a pull that Falcon has given up.
type Completed struct {
	CID, RSN uint32
	Code     spec.Completion
	ULP      spec.ULPCode // of CIE
}

// transaction is a request that has been handed to Falcon and is not complete.
type transaction struct {
	q    *qp
	work *work
	kind spec.Kind
	sn   uint32

	// Of a pull.
	rmsn uint32
	sink Element // of the response
}
