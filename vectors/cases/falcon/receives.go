package falcon

import "github.com/rnicgen/rnicgen/vectors/falcon/suite"

func init() { families = append(families, receiveBuffers) }

// receiveBuffers: a Send and the buffers of its receive: scattered, just long enough, too short, not accessible.
func receiveBuffers(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, op := range []uint8{sendOnly, sendOnlyImmediate, sendOnlyInvalidate} {
			if w.service == xrc && op != sendOnly {
				continue
			}
			l.add(w, "receive/scattered/"+names[op], "a receive of four elements, one of them empty, exactly as long as the SEND", flags(Buffer), func(t *T) {
				at := t.slot(1)
				t.receiveInto(1, t.buffer(at, 3), t.buffer(at+100, 0), t.buffer(at+50, 8), t.buffer(at+20, 10))
				p := carrying(t.packet(op), t.octets(21))
				t.request(p).ack().gotten(1, p, 21)
				for _, part := range [][3]int{{0, 0, 3}, {50, 3, 11}, {20, 11, 21}} {
					t.place(uint64(localAt+at+part[0]), p.Payload[part[1]:part[2]])
				}
			}).cite("8.3.3-05")
			l.add(w, "receive/short/"+names[op], "a SEND one octet longer than the buffers of its receive: nothing is placed", flags(Buffer, Refused), func(t *T) {
				t.receiveInto(1, t.buffer(0, 5), t.buffer(8, 5))
				t.receive(2, 2)
				p := carrying(t.packet(op), t.octets(11))
				t.request(p).lost(1, "length").refused("too_long", invalidRequest, p)
				t.after(op)
			}).cite("8.3.3-07").decide("I-103")
			for _, b := range []struct {
				name    string
				element suite.Element
			}{
				{"right", suite.Element{Key: hidden, VA: localVA, Length: 8}}, {"unknown", suite.Element{Key: 0x3F00, VA: localVA, Length: 8}},
				{"foreign", suite.Element{Key: foreign, VA: remoteVA, Length: 8}}, {"below", suite.Element{Key: local, VA: localVA - 1, Length: 8}},
			} {
				l.add(w, "receive/"+b.name+"/"+names[op], "the second element of the receive fails its check: nothing is placed, not even in the first", flags(Buffer, Refused), func(t *T) {
					t.receiveInto(1, t.buffer(0, 8), b.element)
					t.receive(2, 2)
					p := carrying(t.packet(op), t.octets(16))
					t.request(p).lost(1, "local_protection").refused("receive_buffer", operationError, p)
					t.after(op)
				}).cite("6.3-06").decide("I-103")
			}
			l.add(w, "receive/unused/"+names[op], "the second element of the receive would fail its check, but the SEND ends before it", flags(Buffer), func(t *T) {
				bad := t.buffer(t.slot(1)+64, 8)
				bad.Key = hidden
				t.receiveInto(1, t.buffer(t.slot(1), 8), bad)
				p := carrying(t.packet(op), t.octets(8))
				t.request(p).ack().gotten(1, p, 8)
				t.put(p, 1)
			})
		}
	}
}
