package falcon

import "github.com/rnicgen/rnicgen/vectors/falcon/suite"

func init() { families = append(families, refusedWork, localBuffers, hostEnds) }

// refusedWork: work requests that the table of RoF 6.4 does not permit, and some that it does.
func refusedWork(l *list) {
	mtu := l.config.MTU
	type post struct {
		name, kind, suffix string
		octets             int
	}
	for _, w := range worldsOf(every, nil) {
		var none []post
		switch {
		case w.service == ud:
			none = []post{{"above_mtu", "send", "", mtu + 1}, {"above_mtu_immediate", "send", "immediate", mtu + 1}, {"write", "write", "", 8}, {"write_immediate", "write", "immediate", 8},
				{"read", "read", "", 8}, {"cmp_swap", "cmp_swap", "", 8}, {"fetch_add", "fetch_add", "", 8}, {"invalidate", "send", "invalidate", 8}}
		case isUnordered(w):
			none = []post{{"above_mtu", "send", "", mtu + 1}, {"above_mtu_immediate", "send", "immediate", mtu + 1}, {"above_mtu_invalidate", "send", "invalidate", mtu + 1}, {"write_immediate_above_mtu", "write", "immediate", mtu + 1}}
		}
		none = append(none, post{"write_invalidate", "write", "invalidate", 8})
		if w.connected() {
			none = append(none, post{"atomic_4", "fetch_add", "", 4}, post{"atomic_16", "cmp_swap", "", 16}, post{"read_immediate", "read", "immediate", 8})
		}
		for _, n := range none {
			c := l.add(w, "refuse_work/"+n.name, "the host may not post this: it is refused, and the next work request leaves", flags(Host), func(t *T) {
				t.post(t.work(0x90, n.kind, n.suffix, t.buffer(0, n.octets))).expect(suite.Expect{Refused: true})
				next := t.work(0x91, "send", "", t.buffer(0, 8))
				t.post(next).sends(cid, t.push(next, messages[0])[0])
			}).cite("6.4-02").cite(map[string]map[string][]string{
				ud:  {strong: {"6.4-03", "6.4-09", "6.7-04"}, weak: {"6.4-03", "6.4-15", "6.7-04"}, unordered: {"6.4-03", "6.4-21", "6.7-04"}},
				rc:  {unordered: {"6.4-18"}},
				xrc: {},
			}[w.service][w.ordering]...)
			if n.name == "write_immediate_above_mtu" {
				c.decide("I-66")
			}
		}
		l.add(w, "refuse_work/depth", "a work request too many is refused; when one is complete, the next is taken", flags(Host, Limit), func(t *T) {
			first := t.out[cid].rsn
			work := t.work(0x98, "send", "", t.buffer(0, 8))
			t.post(work).sends(cid, t.push(work, messages[0])[0])
			late := t.work(0x99, "send", "", t.buffer(8, 8))
			t.post(late).expect(suite.Expect{Refused: true})
			t.complete(cid, first, 0, 0).done(work)
			t.post(late).sends(cid, t.push(late, messages[0])[0])
		}).inSetUp("depth_1", func(g *suite.Group, _ suite.Config) {
			for i := range g.QPs {
				g.QPs[i].SendDepth = 1
			}
		})
		if w.service == xrc {
			l.add(w, "refuse_work/xrc_target", "an XRC target sends no requests", flags(Host), func(t *T) {
				work := t.work(0x92, "send", "", t.buffer(0, 8))
				work.QP = target
				t.post(work).expect(suite.Expect{Refused: true})
			}).cite("6.6.2-03")
		}
	}
}

// localBuffers: a work request whose own buffer fails its check before the first packet sends nothing and ends in error, in Verbs
// mode with its QP (I-111).
func localBuffers(l *list) {
	for _, w := range worldsOf(every, nil) {
		for _, kind := range []string{"send", "write", "read", "fetch_add"} {
			if w.service == ud && kind != "send" {
				continue
			}
			for _, b := range []struct {
				name    string
				element func(t *T) suite.Element
			}{
				{"unknown", func(t *T) suite.Element { e := t.buffer(0, 8); e.Key = 0x3F00; return e }},
				{"right", func(t *T) suite.Element { e := t.buffer(0, 8); e.Key = hidden; return e }},
				{"foreign", func(*T) suite.Element { return suite.Element{Key: foreign, VA: remoteVA, Length: 8} }},
				{"above", func(t *T) suite.Element { return t.buffer(mtus*t.config.MTU-4, 8) }},
			} {
				if b.name != "right" && kind == "fetch_add" || b.name != "right" && w.service == xrc {
					continue
				}
				l.add(w, "local/"+kind+"/"+b.name, "the local buffer of a "+kind+" fails its check: nothing is sent", flags(Buffer), func(t *T) {
					if w.service == rc {
						t.receive(1, 1)
					}
					work := t.work(0x93, kind, "", b.element(t))
					s := t.post(work).failed(work, "local_protection")
					next := t.work(0x94, "send", "", t.buffer(0, 8))
					if w.errors == verbs {
						s.senderEnded(suite.Local)
						t.post(next).failed(next, "flushed")
						return
					}
					t.post(next).sends(cid, t.push(next, messages[0])[0])
				}).decide("I-111")
			}
		}
	}
	for _, w := range worldsOf(connected, func(w world) bool { return w.errors == inBand }) {
		l.add(w, "local/second_element", "the second element of a Read may not be written: no pull is sent, not even for the first", flags(Buffer), func(t *T) {
			bad := t.buffer(t.slot(1), 8)
			bad.Key = hidden
			work := t.work(0x95, "read", "", t.buffer(0, 8), bad)
			t.post(work).failed(work, "local_protection")
			t.accepted(t.packet(readRequest))
		}).decide("I-111")
	}
}

// hostEnds: the host moves a QP to Error: no event; work requests and receives are flushed, a completion or response finds no
// transaction, and a request of the peer gets NRE or a response with CE.
func hostEnds(l *list) {
	for _, w := range worldsOf(connected, nil) {
		l.add(w, "fail", "the host moves the QP to Error while a Send, a Read and receives are outstanding", flags(Host), func(t *T) {
			t.receive(1, 1)
			t.receive(2, 2)
			send, read := t.work(0x96, "send", "", t.buffer(0, 8)), t.work(0x97, "read", "", t.buffer(8, 8))
			first := t.out[cid].rsn
			t.post(send).sends(cid, t.push(send, messages[0])[0])
			p := t.pulls(read)[0]
			t.post(read).sends(cid, p)
			s := t.fail(t.sender()).failed(send, "flushed").failed(read, "flushed")
			if w.service == xrc {
				t.fail(target)
			} else {
				s.lost(1, "flushed").lost(2, "flushed")
			}
			t.complete(cid, first, 0, 0).breaks("not_outstanding")
			t.respond(first+1, t.dataFor(p, readResponseOnly)).breaks("not_outstanding")
			t.after(writeOnly)
			if w.service == rc {
				t.receive(3, 3).lost(3, "flushed")
			}
		}).cite("6.8-05").decide("I-69", "I-100", "I-106")
		if !isOrdered(w) {
			continue
		}
		l.add(w, "fail/open_message", "the host moves the QP to Error inside a message: its receive is flushed first", flags(Host, Message), func(t *T) {
			t.receive(1, 1)
			t.receive(2, 2)
			p := t.packets(messages[0], t.config.MTU+8)
			t.request(p[0]).ack()
			t.put(p[0], 1)
			s := t.fail(target).lost(1, "flushed")
			if w.service == rc {
				s.lost(2, "flushed")
			}
			t.request(p[1]).breaks("qp_in_error").nre(operationError)
		}).cite("6.3-12").decide("I-69", "I-100")
	}
}
