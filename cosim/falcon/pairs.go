package falcon

import "github.com/rnicgen/rnicgen/model/falcon/spec"

// openPairs makes as many pairs as are planned, or as there are QPs for.
func (w *world) openPairs() error {
	p := w.plan
	numbers := [2][]int{w.rand.Perm(p.Config.Streams), w.rand.Perm(p.Config.Streams)}
	cids := [2][]int{w.rand.Perm(p.Config.Streams), w.rand.Perm(p.Config.Streams)}
	for n := 0; n < p.Pairs && len(numbers[0]) > 0; n++ {
		x := &pair{world: w, index: n, cid: [2]uint32{uint32(cids[0][n]), uint32(cids[1][n])}, service: service(w.rand.IntN(services)), queue: [2]int{w.rand.IntN(sharedQueues), w.rand.IntN(sharedQueues)},
			ordering: spec.Ordering(w.rand.IntN(3)), mode: spec.ErrorMode(w.rand.IntN(2))}
		if x.service == xrcReceives && len(numbers[0]) < 2 {
			x.service = ownReceives
		}
		for end := range 2 {
			take := func() (number uint32) {
				number, numbers[end] = uint32(numbers[end][0]), numbers[end][1:]
				return number
			}
			x.qp[end] = take()
			if x.target[end] = x.qp[end]; x.service == xrcReceives {
				x.target[end] = take()
			}
		}
		if x.ordering == spec.Unordered {
			x.mode = spec.CompleteInError
		}
		w.pairs = append(w.pairs, x)
		if err := x.prepare(); err != nil {
			return err
		}
	}
	return nil
}
