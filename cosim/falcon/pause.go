package falcon

import "errors"

// pause stops the requests of an end now and then, for some steps.
func (w *world) pause() (err error) {
	for end := range w.ends {
		chance := 100
		if w.paused[end] {
			chance = 10
		}
		if w.rand.IntN(chance) == 0 {
			w.paused[end] = !w.paused[end]
			err = errors.Join(err, w.ends[end].SetXoff(w.paused[end]))
		}
	}
	return err
}
