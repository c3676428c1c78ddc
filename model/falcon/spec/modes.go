package spec

import "fmt"

// Ordering is the ordering mode of a QP, RoF 6.2.
type Ordering uint8

const (
	Strong    Ordering = iota // data and completions in order; ordered connection
	Weak                      // data in any order, completions in order; unordered connection
	Unordered                 // both in any order; unordered connection
)

// String returns the name of the mode.
func (o Ordering) String() string {
	if o > Unordered {
		return fmt.Sprintf("ordering(%d)", uint8(o))
	}
	return [...]string{"strong", "weak", "unordered"}[o]
}

// Completes reports whether completions are in order.
func (o Ordering) Completes() bool { return o != Unordered }

// ErrorMode is the error handling mode of a QP, RoF 6.3.
type ErrorMode uint8

const (
	Verbs           ErrorMode = iota // Verbs compatible: an error ends the QP
	CompleteInError                  // an error ends its work request only
)

// String returns the name of the mode.
func (m ErrorMode) String() string {
	if m > CompleteInError {
		return fmt.Sprintf("errors(%d)", uint8(m))
	}
	return [...]string{"verbs", "complete_in_error"}[m]
}

// QPType is the type of a QP, RoF 6.6.
type QPType uint8

const (
	QPRC           QPType = iota // both an initiator and a target
	QPUD                         // the same, without a connection of its own
	QPXRCInitiator               // XRC INI: sends requests
	QPXRCTarget                  // XRC TGT: receives requests
)

// Service returns the service of the packets that the QP sends and receives.
func (t QPType) Service() Service { return [...]Service{RC, UD, XRC, XRC}[t] }

// Initiates and Targets report whether the QP sends, and receives, requests.
func (t QPType) Initiates() bool { return t != QPXRCTarget }
func (t QPType) Targets() bool   { return t != QPXRCInitiator }

// Connected reports whether the QP has a connection of its own. Only then do credits (FTP 8.2.3) and the check of the
// CID (RoF 6.9, I-68) apply.
func (t QPType) Connected() bool { return t != QPUD }

// String returns the name of the type.
func (t QPType) String() string {
	if t > QPXRCTarget {
		return fmt.Sprintf("qp_type(%d)", uint8(t))
	}
	return [...]string{"rc", "ud", "xrc_initiator", "xrc_target"}[t]
}

// Size is the limit of a message.
type Size uint8

const (
	NoSize Size = iota // the operation does not exist
	OneMTU             // at most one MTU
	Any                // at most 2^32 - 1 octets
)

// Support is a row of the table of supported operations, RoF 6.4. XRC is as RC.
type Support struct {
	Ordering Ordering
	Service  Service
	Ordered  bool // the Falcon connection is ordered
	Verbs    bool // Verbs compatible errors are permitted; complete-in-error always is

	ReadWrite, WriteImmediate, Send Size // WriteImmediate of an unordered QP: I-66
}

// Supported is RoF 6.4 with the connections of 6.2.
var Supported = [...]Support{
	{Strong, RC, true, true, Any, Any, Any},
	{Strong, UD, true, true, NoSize, NoSize, OneMTU},
	{Weak, RC, false, true, Any, Any, Any},
	{Weak, UD, false, true, NoSize, NoSize, OneMTU},
	{Unordered, RC, false, false, Any, OneMTU, OneMTU},
	{Unordered, UD, false, false, NoSize, NoSize, OneMTU},
}

// SupportOf returns the row of an ordering and a QP type; false if there is none.
func SupportOf(o Ordering, t QPType) (Support, bool) {
	service := t.Service()
	if service == XRC {
		service = RC
	}
	for _, s := range Supported {
		if s.Ordering == o && s.Service == service {
			return s, true
		}
	}
	return Support{}, false
}
