// Package ordering holds the ordering tables of RDMAP as data, RFC 5040 section 5.5, RFC 7306 section 7 and
// draft-talpey-rdma-commit-01 section 4, and a checker that names the rows that a trace violates.
//
// Each row concerns two operations that a Local Peer issues on one stream, the first before the second, and gives a
// guarantee at the Remote Peer or the Local Peer, or none. A guarantee is a rule about two steps: the second operation
// must not take its step before the first has taken its own. Rows without a guarantee forbid nothing.
package ordering

import "fmt"

// Operation is an operation in the tables. Send stands for all four Sends, Immediate for both kinds of Immediate Data.
type Operation uint8

const (
	Send Operation = iota
	Write
	Read
	Atomic
	Immediate
	Flush // of the extension Commit, as the following
	Verify
	AtomicWrite
)

var operationNames = [...]string{"Send", "RDMA Write", "RDMA Read", "Atomic", "Immediate Data", "RDMA Flush", "RDMA Verify", "Atomic Write"}

// String returns the name in the tables.
func (o Operation) String() string { return name(operationNames[:], int(o)) }

// Step is a step in the life of a message, in chronological order; those of the extension Commit are at the end.
type Step uint8

const (
	Arrived         Step = iota // the message, or its first segment, reached the Remote Peer
	Placed                      // its payload is in memory; an Atomic Request is in its untagged buffer
	Completed                   // reported to the ULP of the Remote Peer: Send, Immediate Data
	ReadGenerated               // the RDMA Read Response Message is generated
	AtomicExecuted              // the Atomic Operation is processed
	AtomicResponded             // the Atomic Response Message is generated
	ResponseLeft                // the last segment of the response left the Remote Peer
	Terminated                  // the Remote Peer sent its Terminate; Message is not used
	Begun                       // the first access of a Flush, Verify or Atomic Write to memory or platform
	Executed                    // all octets are where the Flush asks for, the digest is known, or the 8 octets are placed
	Responded                   // its response is generated
)

var stepNames = [...]string{"arrived", "placed", "completed", "read generated", "atomic executed", "atomic responded", "response left", "terminated",
	"begun", "executed", "responded"}

// String returns a readable name.
func (s Step) String() string { return name(stepNames[:], int(s)) }

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unknown %d", i)
}

// Rule is a guarantee: the second operation takes step Second only after the first has taken step First.
type Rule struct{ First, Second Step }

// Column is one of the three columns of the tables.
type Column uint8

const (
	RemotePlacement Column = iota // Placement Guarantee at Remote Peer
	LocalPlacement                // Placement Guarantee at Local Peer
	RemoteOrdering                // Ordering Guarantee at Remote Peer
)

var columnNames = [...]string{"placement at the Remote Peer", "placement at the Local Peer", "ordering at the Remote Peer"}

// String returns the column's title.
func (c Column) String() string { return name(columnNames[:], int(c)) }

// Guarantee is one cell: the text of the table and the rule that it implies; nil: it forbids nothing.
type Guarantee struct {
	Text string
	Rule *Rule
}

// Row is one row of a table.
type Row struct {
	First, Second Operation
	Section       string
	Requirement   string // id in the catalogue, for RFC 7306 and the draft
	Guarantees    [3]Guarantee
}

// String reads, for example, "RFC 7306 section 7, RDMA Write then Immediate Data".
func (r *Row) String() string { return fmt.Sprintf("%s, %v then %v", r.Section, r.First, r.Second) }

const (
	rfc5040 = "RFC 5040 section 5.5"
	rfc7306 = "RFC 7306 section 7"
)

// The cells. A response that must not be placed at the Local Peer before something is placed at the Remote Peer must
// not leave the Remote Peer before then, since nothing delays it afterwards.
var (
	nothing       = Guarantee{Text: "No Placement Guarantee"}
	notApplicable = Guarantee{Text: "Not Applicable"}

	placedInOrder    = Guarantee{"Placed in order", &Rule{Placed, Placed}}
	completedInOrder = Guarantee{"Completed in Order", &Rule{Completed, Completed}}
	afterWrite       = Guarantee{"Completed after the RDMA Write is Placed and Delivered", &Rule{Placed, Completed}}

	heldUntilPlaced = Guarantee{"Response will not be Placed until the first is Placed at the Remote Peer", &Rule{Placed, ResponseLeft}}
	mayPass         = Guarantee{Text: "MAY be Placed before the response is generated"}

	readAfterCompleted   = Guarantee{"RDMA Read Response Message will not be generated until the first has been Completed", &Rule{Completed, ReadGenerated}}
	readAfterRead        = Guarantee{"Second RDMA Read Response Message will not be generated until the first has been generated", &Rule{ReadGenerated, ReadGenerated}}
	readAfterAtomic      = Guarantee{"RDMA Read Response Message will not be generated until Atomic Response Message has been generated", &Rule{AtomicResponded, ReadGenerated}}
	atomicAfterCompleted = Guarantee{"Atomic Response Message will not be generated until the first has been Completed", &Rule{Completed, AtomicResponded}}
	atomicAfterRead      = Guarantee{"Atomic Response Message will not be generated until RDMA Read Response has been generated", &Rule{ReadGenerated, AtomicResponded}}
	atomicAfterAtomic    = Guarantee{"Second Atomic Request Message will not be processed until first Atomic Response has been generated", &Rule{AtomicResponded, AtomicExecuted}}
)

// Rows holds the rows of both RFCs, in order. "Immediate Data or Send" is two rows.
var Rows = []Row{
	{Send, Send, rfc5040, "", [3]Guarantee{nothing, notApplicable, completedInOrder}},
	{Send, Write, rfc5040, "", [3]Guarantee{nothing, notApplicable, notApplicable}},
	{Send, Read, rfc5040, "", [3]Guarantee{nothing, heldUntilPlaced, readAfterCompleted}},
	{Write, Send, rfc5040, "", [3]Guarantee{nothing, notApplicable, afterWrite}},
	{Write, Write, rfc5040, "", [3]Guarantee{nothing, notApplicable, notApplicable}},
	{Write, Read, rfc5040, "", [3]Guarantee{nothing, heldUntilPlaced, notApplicable}},
	{Read, Send, rfc5040, "", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Read, Write, rfc5040, "", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Read, Read, rfc5040, "", [3]Guarantee{nothing, nothing, readAfterRead}},

	{Immediate, Send, rfc7306, "RFC7306-7-04", [3]Guarantee{nothing, notApplicable, completedInOrder}},
	{Immediate, Write, rfc7306, "RFC7306-7-05", [3]Guarantee{nothing, notApplicable, notApplicable}},
	{Immediate, Read, rfc7306, "RFC7306-7-06", [3]Guarantee{nothing, heldUntilPlaced, readAfterCompleted}},
	{Immediate, Atomic, rfc7306, "RFC7306-7-07", [3]Guarantee{nothing, heldUntilPlaced, atomicAfterCompleted}},
	{Immediate, Immediate, rfc7306, "RFC7306-7-08", [3]Guarantee{nothing, notApplicable, completedInOrder}},
	{Send, Immediate, rfc7306, "RFC7306-7-08", [3]Guarantee{nothing, notApplicable, completedInOrder}},
	{Write, Immediate, rfc7306, "RFC7306-7-09", [3]Guarantee{nothing, notApplicable, afterWrite}},
	{Read, Immediate, rfc7306, "RFC7306-7-10", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Atomic, Immediate, rfc7306, "RFC7306-7-11", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Atomic, Send, rfc7306, "RFC7306-7-12", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Atomic, Write, rfc7306, "RFC7306-7-13", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Atomic, Read, rfc7306, "RFC7306-7-14", [3]Guarantee{nothing, nothing, readAfterAtomic}},
	{Atomic, Atomic, rfc7306, "RFC7306-7-15", [3]Guarantee{placedInOrder, nothing, atomicAfterAtomic}},
	{Send, Atomic, rfc7306, "RFC7306-7-16", [3]Guarantee{nothing, heldUntilPlaced, atomicAfterCompleted}},
	{Write, Atomic, rfc7306, "RFC7306-7-17", [3]Guarantee{nothing, heldUntilPlaced, notApplicable}},
	{Read, Atomic, rfc7306, "RFC7306-7-18", [3]Guarantee{nothing, nothing, atomicAfterRead}},
}
