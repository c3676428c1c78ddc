package falcon

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// wrong is a request of the peer that breaks one rule, on a QP that is otherwise as it should be.
type wrong struct {
	name, comment string
	rule          string
	ulp           int    // ULP code of the NACK
	fatal         bool   // ends the QP in both error modes
	receive       string // status of the receive that the message has taken; complete in error, that of a First ends with the Last
	permits       func(w world) bool
	cites         []string
	decides       []string
	write         func(t *T) (p packet.Packet, octets []byte, kind string) // the packet, and what is sent of it
}

func init() {
	families = append(families, func(l *list) {
		for _, table := range [][]wrong{formErrors(), payloadErrors(), sequenceErrors(), sendErrors(), keyErrors()} {
			for _, e := range table {
				l.wrong(e)
			}
		}
	})
}

// wrong adds a case for each mode: a good Write, the bad request, and another request, which shows the state of the QP.
func (l *list) wrong(e wrong) {
	for _, w := range e.worlds() {
		l.add(w, "refuse/"+e.name, operationIn(e.name)+e.comment, flags(Refused), func(t *T) {
			t.receive(1, 1)
			t.receive(2, 2)
			t.written(t.packet(writeOnly), 0)
			p, octets, kind := e.write(t)
			s := t.raw(kind, octets)
			if op := uint8(p.Opcode) & 0x1F; isPull(op) && kind == pullReq {
				s.get().Request.Length = t.responseOctets(op, int(p.Length))
			}
			if e.receive != "" && (w.errors == verbs || ends(uint8(p.Opcode)&0x1F)) {
				s.lost(1, e.receive)
			}
			if e.fatal {
				s.fatal(e.rule, e.ulp, p)
			} else {
				s.refused(e.rule, e.ulp, p)
			}
			t.after(uint8(p.Opcode) & 0x1F)
		}).cite(w.errorModes()...).cite(e.cites...).decide(e.decides...)
	}
}

// operationIn returns the title of the operation at the end of a name, with a colon; nothing if there is none.
func operationIn(name string) string {
	last := name[strings.LastIndex(name, "/")+1:]
	for opcode, n := range names {
		if n == last {
			row, _ := spec.Opcode(opcode).Operation()
			return row.Title + ": "
		}
	}
	return ""
}

// worlds are those of RC, and of XRC, which is as RC, one; of an error of XRC alone all.
func (e wrong) worlds() []world {
	if e.rule == "unknown_srq" {
		return worldsOf([]string{xrc}, nil)
	}
	return append(worldsOf([]string{rc}, e.permits), worldsOf([]string{xrc}, func(w world) bool {
		return (w.ordering == strong && w.errors == verbs || w.ordering == weak && w.errors == inBand && e.permits != nil) && (e.permits == nil || e.permits(w))
	})...)
}

// written is a Write Only of 8 octets that is accepted.
func (t *T) written(p packet.Packet, offset int) {
	p.VA = remoteVA + uint64(offset)
	p = carrying(p, t.octets(8))
	s := t.request(p).ack()
	s.t.put(p, 0)
}

// after shows the state of the target. In Error a push gets NRE and a pull a response with CE; else a Write is executed. After
// a First that got CIE the peer sends the Last with CE and no payload first (I-74), with which the receive of a Send ends.
func (t *T) after(op uint8) {
	if len(t.failed) > 0 {
		t.request(carrying(t.packet(writeOnly), t.octets(8))).breaks("qp_in_error").nre(operationError)
		p := t.packet(readRequest)
		t.request(p).breaks("qp_in_error").ack().answer(t.failing(p))
		return
	}
	if last, is := map[uint8]uint8{sendFirst: sendLast, writeFirst: writeLast}[op]; is && isOrdered(t.world) {
		p := t.packet(last)
		p.CE = true
		s := t.request(p).ack()
		if op == sendFirst {
			s.lost(1, "peer_error")
		}
	}
	t.written(t.packet(writeOnly), 24)
}

// whole sends a packet as it is.
func (t *T) whole(p packet.Packet) (packet.Packet, []byte, string) {
	return p, t.octetsOf(p), typeOf(uint8(p.Opcode) & 0x1F)
}

// unread is the packet whose STETH the target cannot read: the response has zeros (I-108).
func unread(p packet.Packet) packet.Packet {
	p.SinkVA, p.SinkKey = 0, 0
	return p
}

// formErrors are opcodes and headers: no operation is known, which is fatal in both error modes (I-116).
func formErrors() (list []wrong) {
	refuse := func(name, comment, rule string, write func(t *T) (packet.Packet, []byte, string)) {
		list = append(list, wrong{name: name, comment: comment, rule: rule, ulp: invalidRequest, fatal: true, write: write})
	}
	for _, op := range []struct {
		name  string
		value uint8
		row   string
	}{{"11", 0x11, "8.1.3-19"}, {"15", 0x15, "8.1.3-23"}, {"18", 0x18, "8.1.3-26"}, {"1f", 0x1F, "8.1.3-26"}} {
		refuse("reserved/"+op.name, "a push with the reserved opcode "+op.name, "bad_opcode", func(t *T) (packet.Packet, []byte, string) {
			p := t.packet(op.value)
			return p, p.EncodeBase(nil, t.order), pushRequest
		})
		list[len(list)-1].cites = []string{op.row}
		refuse("reserved_pull/"+op.name, "a pull with the reserved opcode "+op.name+": the response is a READ Response Only with zeros", "bad_opcode", func(t *T) (packet.Packet, []byte, string) {
			p := t.packet(op.value)
			return unread(p), p.EncodeBase(nil, t.order), pullReq
		})
	}
	for _, o := range []struct {
		name string
		op   uint8
	}{{"read_response_first", readResponseFirst}, {"read_response_middle", readResponseMiddle}, {"read_response_last", readResponseLast}, {"read_response_only", readResponseOnly}, {"atomic_response", atomicResponse}} {
		refuse("response_as_push/"+o.name, "an opcode of pull data in a push", "bad_opcode", func(t *T) (packet.Packet, []byte, string) {
			p := t.packet(o.op)
			return p, t.octetsOf(p), pushRequest
		})
	}
	refuse("read_as_push", "a READ Request in a push", "bad_opcode", func(t *T) (packet.Packet, []byte, string) {
		p := t.packet(readRequest)
		return p, t.octetsOf(p), pushRequest
	})
	refuse("write_as_pull", "a WRITE Only in a pull", "bad_opcode", func(t *T) (packet.Packet, []byte, string) {
		p := carrying(t.packet(writeOnly), t.octets(8))
		return unread(p), t.octetsOf(p), pullReq
	})
	refuse("send_as_pull", "a SEND Only in a pull", "bad_opcode", func(t *T) (packet.Packet, []byte, string) {
		p := t.packet(sendOnly)
		return unread(p), t.octetsOf(p), pullReq
	})
	refuse("other_service", "a SEND Only with the opcode of the service UD", "bad_opcode", func(t *T) (packet.Packet, []byte, string) {
		p := t.packet(sendOnly)
		p.Opcode = 0x64
		return p, t.octetsOf(p), pushRequest
	})
	list[len(list)-1].cites = []string{"8.1.3-33"}
	for _, group := range []spec.Service{0b001, 0b010, 0b100, 0b110, 0b111} {
		refuse(fmt.Sprintf("unknown_service/%03b", uint8(group)), fmt.Sprintf("an opcode of the group %03b, which has no row", uint8(group)), "bad_opcode", func(t *T) (packet.Packet, []byte, string) {
			p := t.packet(sendOnly)
			p.Opcode = spec.Opcode(group<<5 | sendOnly)
			return p, p.EncodeBase(nil, t.order), pushRequest
		})
		list[len(list)-1].cites = []string{"8.1.3-31"}
	}
	for _, o := range []struct {
		name string
		op   uint8
	}{{"send_only", sendOnly}, {"send_only_immediate", sendOnlyImmediate}, {"send_only_invalidate", sendOnlyInvalidate}, {"write_only", writeOnly}, {"write_only_immediate", writeOnlyImmediate},
		{"read_request", readRequest}, {"cmp_swap", cmpSwap}, {"fetch_add", fetchAdd}} {
		refuse("short_headers/"+o.name, "the packet ends one octet before the end of its headers", "short_headers", func(t *T) (packet.Packet, []byte, string) {
			p := t.packet(o.op)
			octets := t.octetsOf(p)
			return unread(p), octets[:len(octets)-1], typeOf(o.op)
		})
	}
	list = append(list, wrong{name: "rbth_alone", comment: "a SEND Only that ends after RBTH", rule: "short_headers", ulp: invalidRequest, fatal: true,
		write: func(t *T) (packet.Packet, []byte, string) {
			p := t.packet(sendOnly)
			return p, p.EncodeBase(nil, t.order), pushRequest
		}})
	for _, op := range []uint8{sendFirst, sendMiddle, sendLast, sendLastImmediate, sendLastInvalidate, writeLastImmediate} {
		list = append(list, wrong{name: "not_unordered/" + names[op], comment: "an opcode that unordered QPs do not have", rule: "bad_opcode", ulp: invalidRequest, fatal: true,
			permits: func(w world) bool { return !isOrdered(w) },
			write: func(t *T) (packet.Packet, []byte, string) {
				return t.whole(carrying(t.packet(op), t.octets(t.config.MTU)))
			}})
		list[len(list)-1].cites = []string{"6.4-22"}
		if op == writeLastImmediate {
			list[len(list)-1].decides = []string{"I-66"}
		}
	}
	return list
}

// names of operations in keys.
var names = map[uint8]string{sendFirst: "send_first", sendMiddle: "send_middle", sendLast: "send_last", sendLastImmediate: "send_last_immediate",
	sendOnly: "send_only", sendOnlyImmediate: "send_only_immediate", sendLastInvalidate: "send_last_invalidate", sendOnlyInvalidate: "send_only_invalidate",
	writeFirst: "write_first", writeMiddle: "write_middle", writeLast: "write_last", writeLastImmediate: "write_last_immediate", writeOnly: "write_only",
	writeOnlyImmediate: "write_only_immediate", readRequest: "read_request", cmpSwap: "cmp_swap", fetchAdd: "fetch_add"}
