package falcon

import "fmt"

func init() { families = append(families, strayCompletions) }

// strayCompletions: a completion of no transaction, among them one from another CID, is ignored (RoF 6.9, I-107).
func strayCompletions(l *list) {
	for _, w := range worldsOf(every, nil) {
		for _, c := range []struct {
			name, comment string
			cid           uint32
			rsn           uint32
		}{{"cid", "another CID", neighbourCID, 0}, {"rsn", "an RSN that has not been used", cid, 1}, {"rsn_bit", "an RSN that differs in the highest bit", cid, 1 << 31}} {
			for _, code := range []int{0, 1, 3} {
				l.add(w, fmt.Sprintf("stray_completion/%s/%d", c.name, code), fmt.Sprintf("a completion with code %d and %s is ignored; then the right one arrives, once", code, c.comment), flags(Completion), func(t *T) {
					work := t.work(0xC0, "send", "", t.buffer(0, 8))
					first := t.out[cid].rsn
					t.post(work).sends(cid, t.push(work, messages[0])[0])
					t.complete(c.cid, first+c.rsn, code, 0).breaks("not_outstanding")
					t.complete(cid, first, 0, 0).done(work)
					t.complete(cid, first, 0, 0).breaks("not_outstanding")
				}).cite("6.9-05").decide("I-107")
			}
		}
	}
}
