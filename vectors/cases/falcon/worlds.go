package falcon

import "github.com/rnicgen/rnicgen/vectors/falcon/suite"

// world is the kind of QP that a case is about, and how its set-up differs from the usual one.
type world struct {
	service, ordering, errors string
	variant                   string // name of change
	change                    func(g *suite.Group, c suite.Config)
}

// Services, ordering modes and error modes.
const (
	rc, xrc, ud             = "rc", "xrc", "ud"
	strong, weak, unordered = "strong", "weak", "unordered"
	verbs, inBand           = "verbs", "complete_in_error"
)

func (w world) name() string {
	mode := map[string]string{verbs: "verbs", inBand: "cie"}[w.errors]
	name := w.service + "_" + w.ordering + "_" + mode
	if w.variant != "" {
		name += "_" + w.variant
	}
	return name
}

func (w world) title() string {
	service := map[string]string{rc: "RC", xrc: "XRC", ud: "UD"}[w.service]
	mode := map[string]string{strong: "strongly ordered", weak: "weakly ordered", unordered: "unordered"}[w.ordering]
	return service + ", " + mode + ", " + map[string]string{verbs: "Verbs errors", inBand: "complete in error"}[w.errors]
}

// services are the requirements that any message of the world's service and mode shows.
func (w world) services() (ids []string) {
	if w.service != xrc {
		ids = append(ids, "5-01")
	}
	if w.service == rc {
		ids = append(ids, "6.6.1-02")
	}
	if w.ordering == strong && w.errors == verbs && w.connected() {
		ids = append(ids, "6.4-01")
	}
	return ids
}

// errorModes are the requirements that an error of the world's service and ordering shows, by the two error modes together.
func (w world) errorModes() []string {
	return map[string]map[string][]string{rc: {strong: {"6.4-05"}, weak: {"6.4-11"}, unordered: {"6.4-17"}},
		ud: {strong: {"6.4-08"}, weak: {"6.4-14"}, unordered: {"6.4-20"}}}[w.service][w.ordering]
}

// with is the world with a changed set-up.
func (w world) with(variant string, change func(g *suite.Group, c suite.Config)) world {
	w.variant, w.change = variant, change
	return w
}

func (w world) connected() bool { return w.service != ud }

// opcodes is bits 7:5 of the opcodes of the service.
func (w world) opcodes() uint8 {
	return map[string]uint8{rc: 0b000, ud: 0b011, xrc: 0b101}[w.service] << 5
}

// modes are the combinations of ordering and error mode of RoF 6.4.
var modes = [][2]string{{strong, verbs}, {strong, inBand}, {weak, verbs}, {weak, inBand}, {unordered, inBand}}

// worldsOf returns the worlds of services, of those modes that the condition, if any, permits.
func worldsOf(services []string, permits func(w world) bool) (list []world) {
	for _, s := range services {
		for _, m := range modes {
			if w := (world{service: s, ordering: m[0], errors: m[1]}); permits == nil || permits(w) {
				list = append(list, w)
			}
		}
	}
	return list
}

func isOrdered(w world) bool { return w.ordering != unordered }
func isStrong(w world) bool  { return w.ordering == strong }
func isWeak(w world) bool    { return w.ordering == weak }

var connected, every = []string{rc, xrc}, []string{rc, xrc, ud}

// Numbers of the set-up: this side's, the peer's, and those of a second QP with a connection of its own.
const (
	cid, neighbourCID, secondCID = 0x00B001, 0x00B002, 0x00B003

	target       = 0x00A001 // receives; of RC and UD it also sends
	xrcInitiator = 0x00A004
	neighbour    = 0x00A002
	secondUD     = 0x00A003
	peer         = 0x00C001 // the peer's QP
	xrcPeer      = 0x00C004

	srq, otherSRQ = 0x000051, 0x000052

	qKey, otherQKey = 0x1234_5678, 0x8765_4321

	domain, otherDomain = 7, 8

	rnrTimeout = 11
)

// Regions: their keys, and the VA of the first octet.
const (
	local      = 0x0000_0111
	remote     = 0x0000_0222
	readable   = 0x0000_0333
	writable   = 0x0000_0444
	foreign    = 0x0000_0555 // of another domain
	own        = 0x0000_0666 // of the QP alone
	others     = 0x0000_0777 // of another QP alone
	spare      = 0x0000_0888 // may be invalidated
	edge       = 0x0000_0999 // ends at 2^64
	hidden     = 0x0000_0AAA // no right at all to read or write locally
	atomicOnly = 0x0000_0BBB

	localVA, remoteVA = 0x0000_1000_0000_0000, 0x0000_7000_0000_0000
	localAt, remoteAt = 0x10_0000, 0x20_0000

	mtus = 16 // length of each of the two ranges of memory
)

// setUp returns the set-up of a world.
func (w world) setUp(c suite.Config, seed uint64) suite.Group {
	length := mtus * c.MTU
	ordered := w.ordering == strong
	lots := suite.Credits{RequestTxPackets: 4096, RequestTxBuffers: 1 << 20, RequestRxPackets: 4096, RequestRxBuffers: 1 << 20, DataTxPackets: 4096, DataTxBuffers: 1 << 20}
	connection := func(cid uint32, ordered bool) suite.Connection {
		return suite.Connection{CID: cid, Ordered: ordered, RSN: 1, Window: c.Window, Credits: lots}
	}
	qp := func(number uint32, kind string, at, remote uint32) suite.QP {
		return suite.QP{QP: number, Type: kind, Ordering: w.ordering, Errors: w.errors, Domain: domain, MTU: c.MTU, CID: &at, Remote: &remote,
			IRRQ: c.IRRQ, ORD: c.IRRQ, SendDepth: 512, RNRTimeout: rnrTimeout}
	}
	g := suite.Group{Number: 1, Credits: []suite.Credits{}, SharedQueues: []uint32{srq, otherSRQ},
		Connections: []suite.Connection{connection(cid, ordered), connection(neighbourCID, true), connection(secondCID, ordered)},
		Memory:      []suite.Memory{{Address: localAt, Octets: length, Seed: uint32(seed)<<1 | 1}, {Address: remoteAt, Octets: length, Seed: uint32(seed)<<1 + 2}}}
	switch w.service {
	case rc:
		g.QPs = append(g.QPs, qp(target, "rc", cid, peer))
	case xrc:
		g.QPs = append(g.QPs, qp(target, "xrc_target", cid, xrcPeer), qp(xrcInitiator, "xrc_initiator", cid, peer))
	case ud:
		for i, number := range []uint32{target, secondUD} {
			q := qp(number, "ud", 0, 0)
			q.CID, q.Remote, q.QKey = nil, nil, &[]suite.Hex32{qKey, otherQKey}[i]
			g.QPs = append(g.QPs, q)
		}
	}
	beside := qp(neighbour, "rc", neighbourCID, peer+1)
	beside.Ordering, beside.Errors = strong, inBand
	g.QPs = append(g.QPs, beside)
	all := []string{"local_read", "local_write", "remote_read", "remote_write", "remote_atomic"}
	region := func(key suite.Hex32, rights []string, base, at uint64) suite.Region {
		d := uint16(domain)
		return suite.Region{Key: key, Rights: rights, Domain: &d, Base: suite.Hex64(base), Length: suite.Hex64(length), Address: suite.Hex64(at)}
	}
	ofQP := func(key suite.Hex32, number uint32) suite.Region {
		r := region(key, all, remoteVA, remoteAt)
		r.Domain, r.QP = nil, &number
		return r
	}
	elsewhere := region(foreign, all, remoteVA, remoteAt)
	elsewhere.Domain = new(uint16(otherDomain))
	g.Regions = []suite.Region{
		region(local, all[:2], localVA, localAt), region(remote, all[2:], remoteVA, remoteAt), region(readable, []string{all[0], all[2]}, remoteVA, remoteAt),
		region(writable, []string{all[3]}, remoteVA, remoteAt), elsewhere, ofQP(own, target), ofQP(others, neighbour),
		region(spare, []string{all[3], "invalidate"}, remoteVA, remoteAt), region(edge, all, -uint64(length), remoteAt),
		region(hidden, []string{all[2]}, localVA, localAt), region(atomicOnly, []string{all[4]}, remoteVA, remoteAt),
	}
	if w.change != nil {
		w.change(&g, c)
	}
	return g
}
