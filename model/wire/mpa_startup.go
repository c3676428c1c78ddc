package wire

import "fmt"

// MPAMaxPrivateData is the maximum private data of a start-up frame in octets, including the enhanced data.
const MPAMaxPrivateData = 512

// Start-up keys, RFC 5044 section 7.1.1.
const (
	MPARequestKey = "MPA ID Req Frame"
	MPAReplyKey   = "MPA ID Rep Frame"
)

// MPAStartup is an MPA Request Frame or MPA Reply Frame.
type MPAStartup struct {
	Reply    bool
	Markers  bool  // M: the sender requires Markers in the FPDUs that it receives
	CRC      bool  // C: the sender requires CRC in both directions
	Reject   bool  // R: the connection is rejected; ignored in a request
	Enhanced bool  // S: Setup is present; needs Revision 2
	Revision uint8 // 1 or 2

	Setup       MPASetup // RFC 6581, if Enhanced
	PrivateData []byte   // of the consumer, without the enhanced data
}

// MPASetup is the enhanced connection data of RFC 6581 section 9.
type MPASetup struct {
	PeerToPeer bool   // A: the initiator sends an RTR indication before the responder may send
	RTRSend    bool   // B: the RTR indication may be a zero-length FPDU
	RTRWrite   bool   // C: ... a zero-length RDMA Write
	RTRRead    bool   // D: ... a zero-length RDMA Read
	IRD        uint16 // 14 bits
	ORD        uint16 // 14 bits
}

const maxIRDORD = 1<<14 - 1

var startup = struct{ m, c, r, s, rev, pdLength bits }{
	MPAStartupTable.at("m"), MPAStartupTable.at("c"), MPAStartupTable.at("r"), MPAStartupTable.at("s"),
	MPAStartupTable.at("rev"), MPAStartupTable.at("pd_length"),
}

var enhanced = struct{ peerToPeer, rtrSend, ird, rtrWrite, rtrRead, ord bits }{
	MPAEnhancedTable.at("peer_to_peer"), MPAEnhancedTable.at("rtr_send"), MPAEnhancedTable.at("ird"),
	MPAEnhancedTable.at("rtr_write"), MPAEnhancedTable.at("rtr_read"), MPAEnhancedTable.at("ord"),
}

// DecodeMPAStartup decodes the start-up frame at the start of b and returns its length in octets. reply selects the
// expected frame. Reserved bits, R in a request and S in revision 1 are ignored. PrivateData is a slice of b, not a
// copy.
func DecodeMPAStartup(b []byte, reply bool) (MPAStartup, int, error) {
	f := MPAStartup{Reply: reply}
	// Compare the part of the key that has arrived: three invalid octets are invalid, not incomplete.
	key := f.key()
	for i := range min(len(b), len(key)) {
		if b[i] != key[i] {
			return f, 0, &MPAError{Frame: f.name(), Field: "key", Offset: i, Value: uint64(b[i]),
				Allowed: fmt.Sprintf("0x%02X, of %q", key[i], key)}
		}
	}
	if len(b) < MPAStartupTable.Octets {
		return f, 0, incomplete(f.name(), len(b), MPAStartupTable.Octets)
	}
	rev, pd := startup.rev.value(b), startup.pdLength.value(b)
	if rev != 1 && rev != 2 {
		return f, 0, f.wrong(MPAStartupTable, "rev", rev, "1, 2")
	}
	f.Revision = uint8(rev)
	f.Markers, f.CRC = startup.m.bit(b), startup.c.bit(b)
	f.Reject = reply && startup.r.bit(b)
	f.Enhanced = rev == 2 && startup.s.bit(b)
	least, allowed := uint64(0), "0..512"
	if f.Enhanced {
		least, allowed = 4, "4..512, as S is set"
	}
	if pd < least || pd > MPAMaxPrivateData {
		return f, 0, f.wrong(MPAStartupTable, "pd_length", pd, allowed)
	}
	total := MPAStartupTable.Octets + int(pd)
	if len(b) < total {
		return f, 0, incomplete(f.name(), len(b), total)
	}
	f.PrivateData = b[MPAStartupTable.Octets:total:total]
	if f.Enhanced {
		f.Setup = decodeSetup(f.PrivateData)
		f.PrivateData = f.PrivateData[MPAEnhancedTable.Octets:]
	}
	return f, total, nil
}

func decodeSetup(b []byte) MPASetup {
	return MPASetup{
		PeerToPeer: enhanced.peerToPeer.bit(b),
		RTRSend:    enhanced.rtrSend.bit(b),
		RTRWrite:   enhanced.rtrWrite.bit(b),
		RTRRead:    enhanced.rtrRead.bit(b),
		IRD:        uint16(enhanced.ird.value(b)),
		ORD:        uint16(enhanced.ord.value(b)),
	}
}

func (s MPASetup) put(b []byte) {
	enhanced.peerToPeer.putBit(b, s.PeerToPeer)
	enhanced.rtrSend.putBit(b, s.RTRSend)
	enhanced.ird.put(b, uint64(s.IRD))
	enhanced.rtrWrite.putBit(b, s.RTRWrite)
	enhanced.rtrRead.putBit(b, s.RTRRead)
	enhanced.ord.put(b, uint64(s.ORD))
}

// AppendMPAStartup appends the frame. It returns an error for a frame that DecodeMPAStartup would not return unchanged.
func AppendMPAStartup(dst []byte, f MPAStartup) ([]byte, error) {
	pd := len(f.PrivateData)
	if f.Enhanced {
		pd += MPAEnhancedTable.Octets
	}
	if err := f.check(pd); err != nil {
		return dst, err
	}
	dst, head := MPAStartupTable.grow(dst)
	copy(head, f.key())
	startup.m.putBit(head, f.Markers)
	startup.c.putBit(head, f.CRC)
	startup.r.putBit(head, f.Reject)
	startup.s.putBit(head, f.Enhanced)
	startup.rev.put(head, uint64(f.Revision))
	startup.pdLength.put(head, uint64(pd))
	if f.Enhanced {
		var setup []byte
		dst, setup = MPAEnhancedTable.grow(dst)
		f.Setup.put(setup)
	}
	return append(dst, f.PrivateData...), nil
}

func (f MPAStartup) check(pd int) error {
	switch {
	case f.Revision != 1 && f.Revision != 2:
		return f.wrong(MPAStartupTable, "rev", uint64(f.Revision), "1, 2")
	case f.Reject && !f.Reply:
		return f.wrong(MPAStartupTable, "r", 1, "0 in a request")
	case f.Enhanced && f.Revision != 2:
		return f.wrong(MPAStartupTable, "s", 1, "0 in revision 1")
	case !f.Enhanced && f.Setup != MPASetup{}:
		return f.wrong(MPAStartupTable, "s", 0, "1 with enhanced data")
	case pd > MPAMaxPrivateData:
		return f.wrong(MPAStartupTable, "pd_length", uint64(pd), "0..512, including the enhanced data")
	case f.Setup.IRD > maxIRDORD:
		return f.wrong(MPAEnhancedTable, "ird", uint64(f.Setup.IRD), "0..16383")
	case f.Setup.ORD > maxIRDORD:
		return f.wrong(MPAEnhancedTable, "ord", uint64(f.Setup.ORD), "0..16383")
	}
	return nil
}

// wrong returns an MPAError about a field of the frame.
func (f MPAStartup) wrong(t *Table, field string, value uint64, allowed string) error {
	offset := t.MustField(field).Octet()
	if t == MPAEnhancedTable {
		offset += MPAStartupTable.Octets
	}
	return &MPAError{Frame: f.name(), Field: field, Offset: offset, Value: value, Allowed: allowed}
}

func (f MPAStartup) key() string {
	if f.Reply {
		return MPAReplyKey
	}
	return MPARequestKey
}

func (f MPAStartup) name() string {
	if f.Reply {
		return "reply"
	}
	return "request"
}
