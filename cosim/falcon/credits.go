package falcon

import "github.com/rnicgen/rnicgen/model/falcon/spec"

// requestCredits and dataCredits are those for requests and for responses.
func requestCredits(c spec.Credits) spec.Credits {
	return c.Sub(dataCredits(c))
}

func dataCredits(c spec.Credits) spec.Credits {
	return spec.Credits{DataTxPackets: c.DataTxPackets, DataTxBuffers: c.DataTxBuffers}
}

// giveBack returns all credits of an end that are due.
func (f *Fabric) giveBack(w *way, end int, to End) {
	var sum spec.Credits
	kept := w.returns[:0]
	some := false
	for _, r := range w.returns {
		if r.due <= f.step && r.end == end {
			sum, some = sum.Add(r.Credits), true
		} else {
			kept = append(kept, r)
		}
	}
	if w.returns = kept; some {
		if end == w.from {
			w.left = w.left.Add(sum)
		} else {
			w.data = w.data.Add(sum)
		}
		to.Return(w.CID[end], sum)
	}
}
