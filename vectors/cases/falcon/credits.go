package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, credits, responseCredits, xoff) }

func noCredits(g *suite.Group, _ suite.Config) {
	for i := range g.Connections {
		g.Connections[i].Credits = suite.Credits{}
	}
}

// counters are the six counters of FTP 8.2.3.
var counters = []struct {
	name string
	of   func(c *suite.Credits) *int
}{
	{"request_tx_packets", func(c *suite.Credits) *int { return &c.RequestTxPackets }},
	{"request_tx_buffers", func(c *suite.Credits) *int { return &c.RequestTxBuffers }},
	{"request_rx_packets", func(c *suite.Credits) *int { return &c.RequestRxPackets }},
	{"request_rx_buffers", func(c *suite.Credits) *int { return &c.RequestRxBuffers }},
	{"data_tx_packets", func(c *suite.Credits) *int { return &c.DataTxPackets }},
	{"data_tx_buffers", func(c *suite.Credits) *int { return &c.DataTxBuffers }},
}

// credits: a request costs what the table of FTP 8.2.3 says: with one unit less of any counter that it needs, at any level, it
// waits; when the unit is returned, it leaves. N is one octet less, as long, or one octet more than a number of buffers.
func credits(l *list) {
	w := world{service: rc, ordering: strong, errors: inBand}
	for _, kind := range []string{"send", "read"} {
		for _, d := range []size{{"less", -1}, {"whole", 0}, {"more", 1}} {
			for level, add := range levels {
				for i, c := range counters[:4] {
					if level > 0 && d.octets != 0 || kind == "send" && i == 3 || kind == "read" && i == 1 && d.octets != 0 {
						continue
					}
					octets := 3*l.config.BufferOctets + d.octets - map[string]int{"send": rbth + seth + oeth, "read": rbth + sink}[kind]
					if octets <= 0 || octets > l.config.MTU {
						octets = 8 + d.octets
					}
					cost := costOf(l.config, kind, octets)
					poor := cost
					*c.of(&poor)--
					l.add(w, fmt.Sprintf("credit/%s/%s/%s/%s", kind, d.name, add.name, c.name), fmt.Sprintf("a %s of %d octets waits for one unit of %s of the %s", kind, octets, c.name, add.name), flags(Credit), func(t *T) {
						work := t.work(0x60, kind, "", t.buffer(0, octets))
						t.post(work)
						unit := suite.Credits{}
						*c.of(&unit) = 1
						s := t.credit(unit)
						if kind == "read" {
							s.sends(cid, t.pulls(work)[0])
						} else {
							s.sends(cid, t.push(work, messages[0])[0])
						}
					}).cite("6.5-01", "6.5-02", "FTP-8.2.3-01", "FTP-8.2.3-05", "FTP-8.2.3-06", "FTP-8.2.3-07", "FTP-8.2.3-08",
						map[string]string{"send": "FTP-8.2.3-10", "read": "FTP-8.2.3-11"}[kind]).cite(add.cites...).decide("I-75").
						inSetUp("poor", func(g *suite.Group, _ suite.Config) { add.to(g, poor) })
				}
			}
		}
	}
}

// levels are where credits are counted.
var levels = []struct {
	name  string
	cites []string
	to    func(g *suite.Group, c suite.Credits)
}{
	{"connection", nil, func(g *suite.Group, c suite.Credits) { g.Connections[0].Credits = c }},
	{"function", []string{"6.5-03", "FTP-8.2.3-04"}, func(g *suite.Group, c suite.Credits) {
		c.Function = new(uint16(3))
		g.Connections[0].Function = 3
		g.Credits = append(g.Credits, c)
	}},
	{"host", []string{"6.5-03", "FTP-8.2.3-04"}, func(g *suite.Group, c suite.Credits) { g.Credits = append(g.Credits, c) }},
}

// costOf is the price of a request, from the table of FTP 8.2.3.
func costOf(c suite.Config, kind string, octets int) suite.Credits {
	if kind == "read" {
		return suite.Credits{RequestTxPackets: 1, RequestTxBuffers: 1, RequestRxPackets: 1, RequestRxBuffers: buffers(c, rbth+sink+(octets+3)/4*4)}
	}
	return suite.Credits{RequestTxPackets: 1, RequestTxBuffers: buffers(c, rbth+seth+oeth+(octets+3)/4*4), RequestRxPackets: 1}
}

// responseCredits: a response needs Data Tx credits, and no others.
func responseCredits(l *list) {
	for _, w := range worldsOf([]string{rc}, nil) {
		for _, c := range counters[4:] {
			l.add(w, "credit/response/"+c.name, "a response waits for one unit of "+c.name+"; it needs no credits of requests", flags(Credit), func(t *T) {
				p := t.packet(readRequest)
				r := t.execute(p)
				s := t.request(p).ack()
				unit := suite.Credits{}
				*c.of(&unit) = 1
				t.credit(unit).answerOf(s.get().Request, r)
			}).cite("6.5-01", "FTP-8.2.3-12", "FTP-8.2.3-06", "FTP-8.2.3-08", "FTP-8.5.3.1-01", "6.5-06").decide("I-75").
				inSetUp("poor", func(g *suite.Group, cf suite.Config) {
					g.Connections[0].Credits = suite.Credits{DataTxPackets: 1, DataTxBuffers: buffers(cf, rbth+sink+cf.MTU)}
					*c.of(&g.Connections[0].Credits) -= 1
				})
		}
		l.add(w, "credit/other_connection", "a connection without credits does not stop another one", flags(Credit), func(t *T) {
			work := t.work(0x61, "send", "", t.buffer(0, 8))
			t.post(work)
			p := packet.Packet{Version: 1, Opcode: writeOnly, DestinationQP: neighbour, SN: 1, RKey: remote, VA: remoteVA}
			p = carrying(p, t.octets(8))
			t.request(p).from(neighbourCID).ack()
			t.put(p, 0)
			p = packet.Packet{Version: 1, Opcode: readRequest, DestinationQP: neighbour, SN: 2, RMSN: 1, RKey: remote, VA: remoteVA, Length: 8, SinkVA: sinkVA, SinkKey: sinkKey}
			r := packet.Packet{Version: 1, Opcode: readResponseOnly, DestinationQP: peer + 1, SN: 2, SinkVA: sinkVA, SinkKey: sinkKey, Payload: t.read(remoteAt, 8)}
			t.request(p).from(neighbourCID).ack().answer(r)
		}).cite("6.5-02", "6.6.1-01", "FTP-8.2.1.1-01").inSetUp("poor", func(g *suite.Group, _ suite.Config) { g.Connections[0].Credits = suite.Credits{} })
	}
}

// xoff: Xoff stops requests of all QPs, and neither answers nor responses.
func xoff(l *list) {
	for _, w := range worldsOf(every, nil) {
		l.add(w, "xoff", "Xoff stops requests; answers and responses go on; Xon lets the requests leave", flags(Credit), func(t *T) {
			t.receive(1, 1)
			t.give(suite.Step{Xoff: new(true)})
			work := t.work(0x62, "send", "", t.buffer(0, 8))
			t.post(work)
			t.accepted(carrying(t.packet(sendOnly), t.octets(8)))
			if w.connected() {
				for _, op := range []uint8{readRequest, fetchAdd} {
					p := t.packet(op)
					t.request(p).served(p)
				}
			}
			rsn := t.out[cid].rsn
			t.give(suite.Step{Xoff: new(false)}).sends(cid, t.push(work, messages[0])[0])
			t.complete(cid, rsn, 0, 0).done(work)
		}).cite("6.5-04", "6.5-05", "6.5-06").decide("I-76")
	}
}
