package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, ord, windows, fences) }

// ord: a pull leaves only if its RMSN is less than ORD above that of the oldest one without a response (I-115).
func ord(l *list) {
	two := func(g *suite.Group, _ suite.Config) {
		for i := range g.QPs {
			g.QPs[i].ORD = 2
		}
	}
	for _, w := range worldsOf(connected, nil) {
		l.add(w, "ord", "with ORD 2 the third pull waits for the response to the first; a later Send waits too", flags(Limit), func(t *T) {
			work, send := t.work(0x70, "read", "", t.buffer(0, 3*t.config.MTU)), t.work(0x71, "send", "", t.buffer(t.slot(1), 8))
			first := t.out[cid].rsn
			s := t.post(work)
			p := t.pulls(work)
			s.sends(cid, p[0]).sends(cid, p[1])
			t.post(send)
			r := t.dataFor(p[0], readResponseFirst)
			s = t.respond(first, r)
			t.land(r)
			s.sends(cid, p[2]).sends(cid, t.push(send, messages[0])[0])
		}).cite("8.3.2-08", "FTP-8.2.1.2-01").decide("I-115").inSetUp("ord_2", two)
		if isStrong(w) {
			continue
		}
		l.add(w, "ord_oldest", "with ORD 2 the response to the second pull arrives first: the third waits for that to the first", flags(Limit, Order), func(t *T) {
			work := t.work(0x70, "read", "", t.buffer(0, 3*t.config.MTU))
			first := t.out[cid].rsn
			s := t.post(work)
			p := t.pulls(work)
			s.sends(cid, p[0]).sends(cid, p[1])
			for i := 1; i >= 0; i-- {
				r := t.dataFor(p[i], readResponseOnly)
				s = t.respond(first+uint32(i), r)
				t.land(r)
			}
			s.sends(cid, p[2])
		}).cite("8.3.2-08").decide("I-62", "I-115").inSetUp("ord_2", two)
	}
}

// windows: the SN of a request is less than the window above that of the oldest incomplete one (I-102).
func windows(l *list) {
	for _, w := range worldsOf(connected, nil) {
		l.add(w, "window", "with a window of 2 the third packet waits for the completion of the first", flags(Limit), func(t *T) {
			m := message{name: "WRITE", last: writeOnly, write: true}
			work := t.work(0x72, "write", "", t.buffer(0, 3*t.config.MTU+1))
			first := t.out[cid].rsn
			s := t.post(work)
			p := t.push(work, m)
			s.sends(cid, p[0]).sends(cid, p[1])
			t.complete(cid, first, 0, 0).sends(cid, p[2])
			t.complete(cid, first+1, 0, 0).sends(cid, p[3])
			t.complete(cid, first+2, 0, 0)
			t.complete(cid, first+3, 0, 0).done(work)
		}).decide("I-102").inSetUp("window_2", func(g *suite.Group, _ suite.Config) { g.Connections[0].Window = 2 })
	}
}

// fences: a work request with a fence begins when no pull of its QP is outstanding.
func fences(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, kind := range []string{"send", "write", "read"} {
			l.add(w, "fence/"+kind, fmt.Sprintf("a %s with a fence after a Read: it leaves with the Read's last response", kind), flags(Limit), func(t *T) {
				read, fenced := t.work(0x73, "read", "", t.buffer(0, 16)), t.work(0x74, kind, "", t.buffer(32, 8))
				fenced.Fence = true
				first := t.out[cid].rsn
				p := t.pulls(read)[0]
				t.post(read).sends(cid, p)
				t.post(fenced)
				r := t.dataFor(p, readResponseOnly)
				s := t.respond(first, r)
				t.land(r)
				s.done(read)
				switch kind {
				case "send":
					s.sends(cid, t.push(fenced, messages[0])[0])
				case "write":
					s.sends(cid, t.push(fenced, messages[3])[0])
				default:
					s.sends(cid, t.pulls(fenced)[0])
				}
			})
		}
	}
}
