package spec

import "fmt"

// Reply is what the target's ULP returns to Falcon for a request.
type Reply uint8

const (
	NoReply    Reply = iota // for responses, and for what is found after the reply
	Ack                     // a push is complete; a pull is accepted
	RNR                     // NACK 2
	CIE                     // NACK 6
	NRE                     // NACK 7
	CID                     // NACK 8
	CEResponse              // a pull is accepted, its response has CE = 1 and no payload (I-63)
)

// String returns the name.
func (r Reply) String() string {
	if r > CEResponse {
		return fmt.Sprintf("reply(%d)", uint8(r))
	}
	return [...]string{"none", "ack", "rnr", "cie", "nre", "cid", "ce_response"}[r]
}

// NACK returns the code of Falcon; false if the reply is no NACK.
func (r Reply) NACK() (NACK, bool) {
	switch r {
	case RNR:
		return NACKRNR, true
	case CIE:
		return NACKCIE, true
	case NRE:
		return NACKNRE, true
	case CID:
		return NACKCID, true
	}
	return 0, false
}

// Class groups the rules by what follows when one is broken.
type Class uint8

const (
	Harmless    Class = iota // of None
	Unaddressed              // no QP is concerned
	Foreign                  // of another version: the QP is not concerned either
	Ended                    // the QP is in Error
	Retry                    // it is delivered again
	Refused                  // an error of the peer, by error mode (I-65)
	Fatal                    // an error in both error modes
	Ignored                  // a datagram or response without effect
	Found                    // found when nothing can be returned to Falcon: of a response, or after the reply
	classes
)

// Consequence is what follows when a rule is broken. Push, Pull: the reply on RC and XRC QPs. On a UD QP it is Datagram for
// a push and CID for a pull, the state stays and there is no event (I-67).
type Consequence struct {
	Push, Pull, Datagram Reply
	Error                bool // the QP goes to Error
	Event                bool // the host is told
}

var consequences = [classes][2]Consequence{ // by error mode
	Harmless:    {{Ack, Ack, Ack, false, false}, {Ack, Ack, Ack, false, false}},
	Unaddressed: {{CID, CID, CID, false, false}, {CID, CID, CID, false, false}},
	Foreign:     {{NRE, CID, Ack, false, false}, {NRE, CID, Ack, false, false}},
	Ended:       {{NRE, CEResponse, Ack, false, false}, {NRE, CEResponse, Ack, false, false}},
	Retry:       {{RNR, RNR, Ack, false, false}, {RNR, RNR, Ack, false, false}},
	Refused:     {{NRE, CEResponse, Ack, true, true}, {CIE, CEResponse, Ack, false, false}},
	Fatal:       {{NRE, CEResponse, Ack, true, true}, {NRE, CEResponse, Ack, true, true}},
	Ignored:     {{NoReply, NoReply, Ack, false, false}, {NoReply, NoReply, Ack, false, false}},
	Found:       {{NoReply, NoReply, NoReply, true, true}, {NoReply, NoReply, NoReply, false, false}},
}

// UsesSN reports whether the SN of a request counts as received with a reply. That of another version never does (I-61).
func (c Class) UsesSN(r Reply) bool {
	return c != Foreign && (r == Ack || r == CIE || r == NRE || r == CEResponse)
}

// Consequence returns what follows in an error mode.
func (c Class) Consequence(m ErrorMode) Consequence { return consequences[c][m] }

// Reply returns the reply to a request of a type on a QP of a type.
func (c Consequence) Reply(t PacketType, q QPType) Reply {
	switch {
	case q == QPUD && t == PullRequest:
		return CID
	case q == QPUD:
		return c.Datagram
	case t == PullRequest:
		return c.Pull
	}
	return c.Push
}
