package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, completions, afterCIE) }

// code is a completion code of FTP 11 as an initiator sees it.
type code struct {
	value, ulp int
	name       string // of the event
	status     string
	push, pull bool
}

// codes lists those that are no success. CIE with a ULP code tells the cause; all others end a connected QP (I-105).
var codes = []code{
	{1, invalidRequest, "kCmplTargetNackCIE", "remote_invalid", true, false},
	{1, accessError, "kCmplTargetNackCIE", "remote_access", true, false},
	{1, operationError, "kCmplTargetNackCIE", "remote_operation", true, false},
	{1, 0x64, "kCmplTargetNackCIE", "remote_error", true, false},
	{3, 0, "kCmplTargetNackNRE", "remote_error", true, false},
	{4, 0, "kCmplTargetNackCID", "remote_error", true, false},
	{0x8, 0, "kCmplLocalTO", "transport", true, true},
	{0x9, 0, "kCmplOpErr", "transport", false, true},
	{0xA, 0, "kCmplDeadConn", "transport", true, true},
	{0xB, 0, "kCmplLocalRsrc", "transport", true, true},
	{0xC, 0, "kUlpCmplCdtErr", "transport", true, true},
	{0xD, 0, "kCmplRemoteErr", "transport", true, true},
	{0xF, 0, "kCmplLocalXlr", "transport", true, true},
}

// ends reports whether the QP goes to Error.
func (c code) ends(w world) bool { return w.connected() && (c.value != 1 || w.errors == verbs) }

// completions: Falcon completes the first of two work requests with each code.
func completions(l *list) {
	for _, w := range append(worldsOf([]string{rc, ud}, nil), world{service: xrc, ordering: weak, errors: verbs}) {
		for _, c := range codes {
			for _, kind := range []string{"send", "write", "read", "fetch_add"} {
				pull := kind == "read" || kind == "fetch_add"
				if pull && (!c.pull || w.service == ud) || !pull && !c.push || kind == "write" && (w.service == ud || c.value > 4) {
					continue
				}
				key := fmt.Sprintf("complete/%s/%x", kind, c.value)
				if c.ulp != 0 {
					key += fmt.Sprintf("_%x", c.ulp)
				}
				k := l.add(w, key, fmt.Sprintf("Falcon completes a %s with code 0x%X, %s", kind, c.value, c.name), flags(Completion), func(t *T) { t.completed(c, kind) })
				k.decide("I-105", "I-107")
				if c.value == 1 {
					k.decide("I-64").cite("FTP-7.8-08")
				}
				if c.value == 0xB && w.service == ud {
					k.cite("FTP-8.2.3-03")
				}
				if c.ends(w) {
					k.cite("6.8-05", "6.8-06")
				}
			}
		}
	}
}

// completed posts two work requests and lets the first fail. If the QP goes to Error, the second is flushed; then a completion of
// it finds no transaction, and a third work request is flushed at once. Else both go on.
func (t *T) completed(c code, kind string) {
	if t.world.service != xrc {
		t.receive(1, 1)
	}
	first := t.out[cid].rsn
	failing, next := t.work(0x20, kind, "", t.buffer(0, 8)), t.work(0x21, "send", "", t.buffer(8, 8))
	s := t.post(failing)
	switch kind {
	case "send":
		s.sends(cid, t.push(failing, messages[0])[0])
	case "write":
		s.sends(cid, t.push(failing, messages[3])[0])
	case "read":
		s.sends(cid, t.pulls(failing)[0])
	default:
		s.sends(cid, t.atomic(failing))
	}
	t.post(next).sends(cid, t.push(next, messages[0])[0])
	s = t.complete(cid, first, c.value, c.ulp).failed(failing, c.status)
	if !c.ends(t.world) {
		t.complete(cid, first+1, 0, 0).done(next)
		return
	}
	s.failed(next, "flushed").senderEnded(c.name)
	t.complete(cid, first+1, 0, 0).breaks("not_outstanding")
	late := t.work(0x22, "send", "", t.buffer(16, 8))
	t.post(late).failed(late, "flushed")
}

// afterCIE: a CIE inside a message. The initiator sends no more data, but the last packet, with CE and without payload, so that
// the receive at the target ends and RMSN stays in step (I-74). Credits for one request keep it from sending more.
func afterCIE(l *list) {
	one := func(g *suite.Group, c suite.Config) {
		g.Connections[0].Credits = oneRequest(c)
	}
	for _, w := range worldsOf(connected, func(w world) bool { return w.errors == inBand }) {
		for _, m := range messages {
			if !m.permits(w, 3) {
				continue
			}
			w := w.with("one_request", one)
			l.add(w, fmt.Sprintf("inside/%02x", m.last), fmt.Sprintf("the First of a %s gets CIE: the Last follows with CE = 1 and without payload, then the next work request", m.name), flags(Message, Completion), func(t *T) {
				kind, suffix := m.kindOf()
				work, next := t.work(0x30, kind, suffix, t.buffer(0, 3*t.config.MTU)), t.work(0x31, kind, suffix, t.buffer(1, 8))
				first := t.out[cid].rsn
				t.post(work).sends(cid, carrying(t.outgoing(work, m.operation(0, 3)), t.source(work)[:t.config.MTU]))
				t.post(next)
				t.complete(cid, first, 1, accessError)
				last := t.outgoing(work, m.operation(2, 3))
				last.CE = true
				last.Offset, last.VA = uint32(t.config.MTU), last.VA+uint64(t.config.MTU)
				t.credit(oneRequest(t.config)).sends(cid, last)
				t.complete(cid, first+1, 0, 0).failed(work, "remote_access")
				t.credit(oneRequest(t.config)).sends(cid, t.push(next, m)[0])
				t.complete(cid, first+2, 0, 0).done(next)
			}).cite("8.2-14", "6.3-03").decide("I-74", "I-75", "I-64", "I-107")
		}
	}
}

// oneRequest is the credits of one push with one MTU, and no more packets.
func oneRequest(c suite.Config) suite.Credits {
	return suite.Credits{RequestTxPackets: 1, RequestTxBuffers: buffers(c, rbth+reth+seth+8+c.MTU), RequestRxPackets: 1, DataTxPackets: 1, DataTxBuffers: 1}
}

// buffers is the number of Falcon's buffers for some octets.
func buffers(c suite.Config, octets int) int { return (octets + c.BufferOctets - 1) / c.BufferOctets }

// credit returns credits of the connection.
func (t *T) credit(c suite.Credits) step {
	return t.give(suite.Step{Return: &suite.CIDCredit{CID: cid, Credits: c}})
}
