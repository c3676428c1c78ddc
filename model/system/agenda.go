package system

import "container/heap"

// agenda is what a component will do in later cycles, in the order of cycles, and within one in the order in which it was entered.
type agenda struct {
	entries entries
	entered uint64
}

type entry struct {
	when  Cycle
	order uint64
	do    func(now Cycle)
}

// enter adds something to do.
func (a *agenda) enter(when Cycle, do func(now Cycle)) {
	a.entered++
	heap.Push(&a.entries, entry{when, a.entered, do})
}

// run does everything up to a cycle, also what is entered for it meanwhile.
func (a *agenda) run(now Cycle) {
	for a.next() <= now {
		heap.Pop(&a.entries).(entry).do(now)
	}
}

// next returns the cycle of the first entry.
func (a *agenda) next() Cycle {
	if len(a.entries) == 0 {
		return never
	}
	return a.entries[0].when
}

type entries []entry

func (e entries) Len() int { return len(e) }
func (e entries) Less(i, j int) bool {
	return e[i].when < e[j].when || e[i].when == e[j].when && e[i].order < e[j].order
}
func (e entries) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *entries) Push(x any)   { *e = append(*e, x.(entry)) }
func (e *entries) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	(*e)[last] = entry{}
	*e = (*e)[:last]
	return x
}
