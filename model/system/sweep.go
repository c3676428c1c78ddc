package system

// Loads returns a workload at several loads, from low to as high as it can be with an RNIC of a configuration: fractions of the rates,
// or, where transactions begin when others end, numbers of those in progress.
func (w Workload) Loads(e Engine) (list []Workload) {
	open := false
	for _, f := range w.Flows {
		open = open || f.Rate > 0
	}
	if open {
		for _, factor := range []float64{0.125, 0.25, 0.5, 0.75, 1, 1.25, 1.5} {
			if load := w.with(func(f *Flow) { f.Rate *= factor }); load.Check(e) == nil {
				list = append(list, load)
			}
		}
		return list
	}
	for n := 1; n <= e.SendDepth; n *= 2 {
		load := w.with(func(f *Flow) { f.Outstanding = n })
		if load.Check(e) != nil {
			break
		}
		list = append(list, load)
	}
	return list
}

// Sizes returns a workload on several numbers of nodes, up to its own. A workload that names nodes one by one has only its own.
func (w Workload) Sizes(e Engine) (list []Workload) {
	for n := 2; n < w.Nodes; n = 2*n - 1 {
		size := w
		size.Nodes = n
		if size.Check(e) == nil {
			list = append(list, size)
		}
	}
	return append(list, w)
}

// with returns a copy with changed flows.
func (w Workload) with(change func(*Flow)) Workload {
	flows := append([]Flow(nil), w.Flows...)
	for i := range flows {
		change(&flows[i])
	}
	w.Flows = flows
	return w
}

// Rate returns the transactions of all flows in a microsecond.
func (r *Report) Rate() (rate float64) {
	for _, row := range r.Rows {
		if !row.Operation {
			rate += row.PerMicrosecond
		}
	}
	return rate
}
