package system

import "fmt"

// checkCounters decides from the requesters' observations whether the operations were atomic: the increments of one
// counter that took effect must have found the values 0, 1, 2, ..., once each, and the memory must hold their number.
// It assumes no order of requests and uses only the memory of the responder.
func checkCounters(requesters []*requester, responder *responder) error {
	found := make([]map[uint64]bool, responder.words)
	for _, q := range requesters {
		if q.completions != q.config.Requests {
			return fmt.Errorf("system: requester %d has %d responses; allowed: %d, one per request", q.number, q.completions, q.config.Requests)
		}
		for _, i := range q.increments {
			if found[i.counter] == nil {
				found[i.counter] = map[uint64]bool{}
			}
			if found[i.counter][i.found] {
				return fmt.Errorf("system: counter %d: two increments found the value %d; allowed: one", i.counter, i.found)
			}
			found[i.counter][i.found] = true
		}
	}
	for counter, values := range found {
		for n := range uint64(len(values)) {
			if !values[n] {
				return fmt.Errorf("system: counter %d: of %d increments none found the value %d; allowed: exactly one", counter, len(values), n)
			}
		}
		if holds := responder.model.Memory().Word(regionAddress + 8*uint64(counter)); holds != uint64(len(values)) {
			return fmt.Errorf("system: counter %d holds %d; allowed: %d, the number of increments", counter, holds, len(values))
		}
	}
	return nil
}
