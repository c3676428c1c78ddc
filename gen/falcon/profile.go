package falcon

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Profile is RDMA over Falcon. A stream of the engine is a QP: QP n is stream n.
type Profile struct {
	Order       spec.BitOrder
	Connections int // CIDs from 0 on
	Window      int // SNs from the oldest unanswered request of a connection to the next one, a power of two (I-102)

	BufferOctets int // of Falcon's smallest buffer, for credits, a power of two
}

func profileOf(c engine.Config) Profile { return c.Profile.(Profile) }

func (p Profile) cid() hdl.Value { return hdl.Bits(block.IndexWidth(p.Connections)) }

func (Profile) Options() []string { return nil }
func (Profile) Features() uint64  { return 0 }
func (Profile) OpcodeBits() int   { return spec.OpcodeBits }
func (Profile) RuleBits() int     { return spec.RuleBits }
func (Profile) HeaderOctets() int { return HeaderOctets }
func (Profile) FaultBits() int    { return 3 }
func (Profile) FailureTag() any   { return nil }
func (Profile) BegunTag() any     { return nil }
func (Profile) RegionTag() any    { return nil }
func (Profile) ComparedTag() any  { return nil }
func (Profile) WorkTag() any {
	return &WorkTag{Solicited: hdl.Bits(1), Fence: hdl.Bits(1), SRQ: hdl.Bits(srqBits), More: hdl.Bits(1)}
}
func (p Profile) RequestTag() any { return pullOf(p) }
func (p Profile) AtomicTag() any  { return pullOf(p).reply() }
func (p Profile) MessageTag() any { return sentOf(p) }
func (p Profile) AnswerTag() any  { return answerOf(p) }
func (p Profile) DeliveryTag() any {
	return &deliveryTag{Answer: *answerOf(p), Push: hdl.Bits(1), Received: receivedOf()}
}
func (Profile) OutcomeTag() any {
	return &outcome{Status: hdl.Bits(statusBits), SourceQP: hdl.Bits(24)}
}
func (Profile) EventDetail() any {
	return &eventDetail{Rule: hdl.Bits(spec.RuleBits), Shared: hdl.Bits(1)}
}
func (Profile) NoDetail() any {
	return &eventDetail{Rule: hdl.Zero(spec.RuleBits), Shared: hdl.Zero(1)}
}

// eventDetail is why a QP went to Error, or whose receive request is refused.
type eventDetail struct {
	Shared hdl.Value `doc:"1: the stream is the number of a shared receive queue"`
	Rule   hdl.Value `doc:"rule that a packet broke; 0: none"`
}

// QPSetup is what the host sets of a QP before it opens it.
type QPSetup struct {
	Type       hdl.Value // QP type: RoF 6.6
	Ordering   hdl.Value // ordering mode: RoF 6.2
	Errors     hdl.Value // error mode: RoF 6.3
	CID        hdl.Value `hdl:"cid"` // of a connected QP
	Remote     hdl.Value // number of the QP at the peer
	QKey       hdl.Value `hdl:"q_key"` // of a UD QP
	RNRTimeout hdl.Value // code of FTP 7.8
	Shares     hdl.Value // not of XRC: receives are those of a shared queue
	Queue      hdl.Value // then: number of the queue
	XRCDomain  hdl.Value `hdl:"xrc_domain"` // of an XRC target: that of the shared queues that its peer may name (I-119)
}

// QPSetupOf is the prototype.
func QPSetupOf(c engine.Config) QPSetup {
	return QPSetup{Type: hdl.Bits(2), Ordering: hdl.Bits(2), Errors: hdl.Bits(1), CID: profileOf(c).cid(), Remote: hdl.Bits(24),
		QKey: hdl.Bits(32), RNRTimeout: hdl.Bits(5), Shares: hdl.Bits(1), Queue: hdl.Bits(block.IndexWidth(c.Streams)), XRCDomain: hdl.Bits(xrcDomainBits)}
}

// Setup gives a QP its set-up while it is closed.
type Setup struct {
	Stream hdl.Value `doc:"number of the QP"`
	Before hdl.Value `doc:"number before the first SN and RMSN, in both directions"`
	QP     QPSetup   `hdl:"qp"`
}

// SetupOf is the prototype.
func SetupOf(c engine.Config) Setup {
	return Setup{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Before: hdl.Bits(sequenceBits), QP: QPSetupOf(c)}
}

// HostSetup is a [Setup] with what its initiator needs, or that of a shared receive queue: its number is the stream, and it has an XRC domain.
type HostSetup struct {
	Target  Setup       `hdl:"-"`
	IsQueue hdl.Value   // of a shared receive queue
	RSN     hdl.Value   `hdl:"rsn" doc:"Request Sequence Number of the first request of this node"`
	Credits CreditCount // of the connection, for requests
	Data    DataCount   // the same, for responses
	ORD     hdl.Value   `hdl:"ord" doc:"pulls of this node under way (I-115); 0, or that of the configuration and more: the latter"`
}

// HostSetupOf is the prototype.
func HostSetupOf(c engine.Config) HostSetup {
	return HostSetup{Target: SetupOf(c), IsQueue: hdl.Bits(1), RSN: hdl.Bits(rsnBits), Credits: creditCount(), Data: dataCount(), ORD: hdl.Bits(ordBits)}
}

// Connect is the set-up of the initiator. A datagram has the number of the peer's QP in its message.
func (s HostSetup) Connect(m *hdl.Module) Connect {
	q := s.Target.QP
	datagram := m.Let("sends_datagrams", q.Type.Is(uint64(spec.QPUD)))
	return Connect{Stream: s.Target.Stream, Type: q.Type, CID: q.CID, Remote: q.Remote.And(datagram.Not().Replicate(q.Remote.Width())), RSN: s.RSN, Before: s.Target.Before, Errors: q.Errors,
		Single: m.Let("sends_single_packets", datagram.Or(q.Ordering.Is(uint64(spec.Unordered)))), Credits: s.Credits, ORD: s.ORD}
}

// Response says which transaction of this node a response completes.
type Response struct {
	CID    hdl.Value `hdl:"cid" doc:"local number of the connection"`
	RSN    hdl.Value `hdl:"rsn" doc:"Request Sequence Number"`
	Status hdl.Value `doc:"of the work request: 0 success"`
}

// ResponseTag is a [Response].
func (p Profile) ResponseTag() any {
	return &Response{CID: p.cid(), RSN: hdl.Bits(rsnBits), Status: hdl.Bits(statusBits)}
}

// Answer is what a target returns to Falcon for a request.
type Answer struct {
	CID     hdl.Value `hdl:"cid" doc:"local number of the connection"`
	RSN     hdl.Value `hdl:"rsn" doc:"Request Sequence Number of the request"`
	Reply   hdl.Value `doc:"0 none, 1 acknowledgement, NACKs: 2 RNR, 3 complete in error, 4 not recoverable, 5 invalid CID"`
	Code    hdl.Value `doc:"ULP NACK code of NACKs 3 and 4"`
	Timeout hdl.Value `doc:"RNR NACK timeout code of NACK 2"`
}

// replyBits and codeBits are the widths of a reply and of a ULP NACK code.
var replyBits = bits.Len(uint(spec.CEResponse))

const codeBits = 8

func answerOf(p Profile) *Answer {
	return &Answer{CID: p.cid(), RSN: hdl.Bits(rsnBits), Reply: hdl.Bits(replyBits),
		Code: hdl.Bits(codeBits), Timeout: hdl.Bits(5)}
}

// deliveryTag is what a packet brings to Falcon and to the host.
type deliveryTag struct {
	Answer   Answer
	Push     hdl.Value // the answer is to a push of a connected QP
	Received received
}

// received is what the completion of a receive says.
type received struct {
	Status    hdl.Value // of the completion: 0 success
	SourceQP  hdl.Value `hdl:"source_qp"` // of a datagram
	Word      hdl.Value // Immediate Data, or the R-Key that was invalidated
	Solicited hdl.Value
}

func receivedOf() received {
	return received{Status: hdl.Bits(statusBits), SourceQP: hdl.Bits(24), Word: hdl.Bits(32), Solicited: hdl.Bits(1)}
}

// outcome is what a completion says beside the engine's fields.
type outcome struct {
	Status   hdl.Value `hdl:"outcome" doc:"0 success, 1 flushed, 2 local protection, 3 length, 4 error of the peer, 5 invalid request, 6 access, 7 operation, 8 other error at the target, 9 response does not fit, 10 Falcon"`
	SourceQP hdl.Value `hdl:"source_qp" doc:"number of the QP that sent a datagram"`
}

// Sent is what Falcon needs of a packet of this node beside its octets.
type Sent struct {
	Type   hdl.Value `doc:"Falcon packet type: 0 pull request, 3 pull data, 5 push request"`
	CID    hdl.Value `hdl:"cid" doc:"local number of the connection"`
	RSN    hdl.Value `hdl:"rsn" doc:"Request Sequence Number of the transaction"`
	Length hdl.Value `hdl:"request_length" doc:"Request Length: octets of a push, or of the response to a pull"`
	Fence  hdl.Value `doc:"of a work request, until its packets are cut: it starts when no pull of the QP is outstanding"`
	Unfit  hdl.Value `doc:"the same: nothing of it is sent, since its local buffer does not allow the access, or it is refused"`

	RefusedWork hdl.Value `doc:"the same: it is one that no QP may have, whatever its local buffer allows; its QP goes on"`

	More  hdl.Value `doc:"the same: another element of its local buffer follows"`
	First hdl.Value `doc:"of a work request, its first element; of a packet with a list, the first one of its message"`
	List  hdl.Value `doc:"of a packet: its payload is that of several elements"`

	Element hdl.Value `doc:"of a packet with a list: place of the first element of its message"`
}

// elementBits is the width of a place of an element in the largest ring.
const elementBits = 10

func sentOf(p Profile) *Sent {
	return &Sent{Type: hdl.Bits(typeBits), CID: p.cid(), RSN: hdl.Bits(rsnBits), Length: hdl.Bits(lengthBits), Fence: hdl.Bits(1), Unfit: hdl.Bits(1), RefusedWork: hdl.Bits(1), First: hdl.Bits(1), More: hdl.Bits(1), List: hdl.Bits(1), Element: hdl.Bits(elementBits)}
}

// Pull is what an inbound pull request needs for its response.
type Pull struct {
	CID     hdl.Value `hdl:"cid" doc:"local number of the connection"`
	RSN     hdl.Value `hdl:"rsn" doc:"Request Sequence Number"`
	SN      hdl.Value `hdl:"sn" doc:"Sequence Number"`
	Remote  hdl.Value `doc:"number of the QP at the peer"`
	XRC     hdl.Value `hdl:"xrc" doc:"1: the service is XRC, 0: RC"`
	Verbs   hdl.Value `doc:"1: its QP has Verbs compatible errors, and fails if the key is withdrawn before its turn"`
	Atomic  hdl.Value `doc:"1: an Atomic, 0: a Read"`
	Adds    hdl.Value `doc:"of an Atomic: 1 FetchAdd, 0 CmpSwap"`
	Length  hdl.Value `doc:"octets of a Read"`
	Data    hdl.Value `doc:"Swap / Add Data"`
	Compare hdl.Value `doc:"Compare Data"`
	SinkVA  hdl.Value `hdl:"sink_va" doc:"STETH: virtual address of the sink"`
	LKey    hdl.Value `hdl:"l_key" doc:"STETH: L-Key of the sink"`
}

func pullOf(p Profile) *Pull {
	bit, word, double := hdl.Bits(1), hdl.Bits(32), hdl.Bits(64)
	return &Pull{CID: p.cid(), RSN: hdl.Bits(rsnBits), SN: word, Remote: hdl.Bits(24), XRC: bit, Verbs: bit, Atomic: bit, Adds: bit, Length: hdl.Bits(lengthBits),
		Data: double, Compare: double, SinkVA: double, LKey: word}
}

var _ engine.Profile = Profile{}
