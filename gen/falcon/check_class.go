package falcon

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// packetClass is what a packet is, by Falcon's packet type and by its opcode. Classes of opcodes mean nothing for reserved ones.
type packetClass struct {
	push, pull, data                *block.Signal
	send, write, read, atomic, adds *block.Signal // read also of responses
	starts, ends, whole             *block.Signal // First or Only; Last or Only; First or Middle
	receives, invalidates           *block.Signal
	ordered                         *block.Signal // not for unordered QPs
	services                        map[spec.Service]*block.Signal
	errs                            *block.Signal // the end of a message in error (I-113)
	octets                          *block.Signal // of payload
	beyond                          *block.Signal // the number of its QP is above all
	mismatch                        *block.Signal // RETH Length is not that of the payload
	short                           *block.Signal // it ends inside RBTH
}

// view sorts a packet. Openings and failures are in no class of packet types.
func (k *check) view() {
	m, r := k.m, k.record
	m.Section("What the packet is")
	isPacket := k.isPacket.At(checkTaken)
	typed := func(name string, t spec.PacketType) *block.Signal {
		code := m.Constant(strings.ToUpper(t.String()), typeBits, uint64(t))
		return k.signal(name, checkTaken, isPacket.And(r.Transaction.Type.Eq(code)))
	}
	op := newOpcode(m, r.Header.Opcode)
	class := func(name string, want func(o *spec.Operation) bool) *block.Signal {
		return k.holds(name, checkTaken, op.is(name, want))
	}
	push := func(o *spec.Operation) bool { return o.Packet == spec.PushRequest }
	k.is = packetClass{
		push: typed("is_push", spec.PushRequest), pull: typed("is_pull", spec.PullRequest), data: typed("is_pull_data", spec.PullData),
		send:        class("is_send", func(o *spec.Operation) bool { return o.Kind == spec.Send }),
		write:       class("is_write", func(o *spec.Operation) bool { return o.Kind == spec.Write }),
		read:        class("is_read", func(o *spec.Operation) bool { return o.Kind == spec.Read }),
		atomic:      class("is_atomic", func(o *spec.Operation) bool { return o.Kind&spec.Atomic != 0 }),
		adds:        class("adds", func(o *spec.Operation) bool { return o.Packet == spec.PullRequest && o.Kind == spec.FetchAdd }),
		starts:      class("starts", func(o *spec.Operation) bool { return push(o) && o.Position&spec.Starts != 0 }),
		ends:        class("ends", func(o *spec.Operation) bool { return push(o) && o.Position&spec.Ends != 0 }),
		whole:       class("is_whole", func(o *spec.Operation) bool { return push(o) && o.Position&spec.Whole != 0 }),
		receives:    class("receives", func(o *spec.Operation) bool { return push(o) && o.Receives() }),
		invalidates: class("invalidates", func(o *spec.Operation) bool { return o.Suffix == spec.Invalidate }),
		ordered:     class("is_for_ordered", func(o *spec.Operation) bool { return !o.Orderings.Has(spec.Unordered) }),
		octets:      k.holds("payload_length", checkTaken, r.PayloadLength),
		beyond:      k.signal("is_beyond_qps", checkTaken, anyAbove(r.Header.DestinationQP, k.stream.At(checkTaken).Width())),
		mismatch:    k.signal("differs_from_length", checkTaken, r.Header.Length.Ne(r.PayloadLength.ZeroExtend(32))),
		short:       k.holds("is_short", checkTaken, r.Checks.ShortPacket),
		services:    map[spec.Service]*block.Signal{},
	}
	for _, s := range allServices {
		k.is.services[s] = k.holds("is_service_"+strings.ToLower(s.String()), checkTaken, op.services[s])
	}
	k.is.errs = k.signal("is_in_error", checkTaken, hdl.AllOf(r.Header.CE, k.is.push.At(checkTaken), k.is.ends.At(checkTaken)))
}

// anyAbove is 1 if v is 2^bits or more.
func anyAbove(v hdl.Value, bits int) hdl.Value {
	if bits == v.Width() {
		return hdl.Zero(1)
	}
	return v.Slice(v.Width()-1, bits).Any()
}

// checkSetup is what the QP of a packet is set to, and what follows from that alone.
type checkSetup struct {
	QPSetup                       // in stage checkSet
	ud, strong, weak, xrcTarget   *block.Signal
	completes                     *block.Signal // complete-in-error mode
	remote, timeout               *block.Signal
	addressed                     *block.Signal // a request for a QP that takes requests, unless it is closed
	wrongCID, noTarget, badOpcode *block.Signal
	badPayload, badQKey           *block.Signal
	otherService                  *block.Signal // the opcode is not of the QP's service
	dropped                       *block.Signal // a datagram that takes no receive
	pullOpcode, readable          *block.Signal // of a pull, and of a response: the opcode is one of the QP's, its headers are whole
}

// setUp looks up the set-up of the QP.
func (k *check) setUp() {
	m, p, c := k.m, k.p, k.c
	m.Section("Set-up of the QP")
	setups := m.Memory("setups", hdl.PackedWidth(QPSetupOf(c)), c.Streams)
	p.Setup.Accept(m, hdl.Ones(1))
	setups.Write(p.Setup.Valid, p.Setup.Data.Stream, hdl.Pack(p.Setup.Data.QP))
	set := hdl.LetOf(m, "set", hdl.Unpack(QPSetupOf(c), setups.Read("setup_q", k.pipe.Valid(checkTaken), k.stream.At(checkTaken), hdl.ReadOld)))
	r, is := k.record, k.is
	at := func(v *block.Signal) hdl.Value { return v.At(checkSet) }
	signal := func(name string, v hdl.Value) *block.Signal { return k.signal(name, checkSet, v) }
	kinds, modes := map[spec.QPType]hdl.Value{}, map[spec.Ordering]hdl.Value{}
	for _, t := range []spec.QPType{spec.QPUD, spec.QPXRCInitiator, spec.QPXRCTarget} {
		kinds[t] = m.Let("is_set_to_"+t.String(), set.Type.Eq(m.Constant(strings.ToUpper("qp_"+t.String()), 2, uint64(t))))
	}
	for o := spec.Strong; o <= spec.Unordered; o++ {
		modes[o] = m.Let("is_set_to_"+o.String(), set.Ordering.Eq(m.Constant(strings.ToUpper(o.String()), 2, uint64(o))))
	}
	ud := signal("is_ud_qp", kinds[spec.QPUD])
	connected := m.Let("is_connected", at(ud).Not())
	qkey := k.holds("q_key", checkTaken, r.Header.VA.Slice(63, 32))
	cid := k.holds("cid", checkTaken, r.Transaction.CID)
	checks := k.holds("checks", checkTaken, hdl.Pack(r.Checks))
	k.checks = func(stage int) Checks { return hdl.Unpack(r.Checks, checks.At(stage)) }
	check := k.checks(checkSet)
	service := signal("is_other_service", hdl.Select(at(is.services[spec.RC]).Not(), hdl.When{Cond: at(ud), Then: at(is.services[spec.UD]).Not()},
		hdl.When{Cond: kinds[spec.QPXRCInitiator].Or(kinds[spec.QPXRCTarget]), Then: at(is.services[spec.XRC]).Not()}))
	mtu := uint64(c.MaxPayload)
	isWhole := m.Let("is_one_mtu", at(is.octets).Is(mtu))
	k.set = checkSetup{QPSetup: set, ud: ud, otherService: service,
		strong: signal("is_strong", connected.And(modes[spec.Strong])), weak: signal("is_weak", connected.And(modes[spec.Weak])), xrcTarget: signal("is_xrc_target", kinds[spec.QPXRCTarget]),
		completes: signal("completes_in_error", set.Errors.Eq(m.Constant(strings.ToUpper(spec.CompleteInError.String()), 1, uint64(spec.CompleteInError)))),
		remote:    k.holds("remote_qp", checkSet, set.Remote), timeout: k.holds("rnr_timeout", checkSet, set.RNRTimeout),
		wrongCID:   signal("has_wrong_cid", connected.And(at(cid).Ne(set.CID))),
		noTarget:   signal("takes_no_requests", kinds[spec.QPXRCInitiator]),
		badOpcode:  signal("has_bad_opcode", hdl.AnyOf(check.BadOpcode, at(service), at(is.ordered).And(modes[spec.Unordered]))),
		badPayload: signal("has_bad_payload", at(is.errs).Not().And(hdl.AnyOf(check.BadPayload, hdl.Const(lengthBits, mtu).Lt(at(is.octets)), at(is.whole).And(isWhole.Not())))),
		badQKey:    signal("has_bad_q_key", at(ud).And(at(qkey).Ne(set.QKey)))}
	k.set.pullOpcode = signal("has_opcode_of_service", check.BadOpcode.Or(at(service)).Not())
	k.set.readable = signal("has_whole_headers", hdl.AnyOf(check.BadOpcode, at(service), check.ShortHeaders).Not())
	k.set.dropped = signal("is_dropped", hdl.AnyOf(at(k.set.badOpcode), check.ShortHeaders, at(k.set.badPayload), at(k.set.badQKey)))
	k.set.addressed = signal("is_addressed", hdl.AllOf(at(is.push).Or(at(is.pull)), hdl.AnyOf(check.ShortPacket, at(is.beyond), at(k.set.noTarget), at(k.set.wrongCID), check.WrongVersion).Not()))
}
