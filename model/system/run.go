package system

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// startMargin is how long receive requests take from a host into the RNIC, beyond a cycle for each.
const startMargin = 128

// assign gives the hosts their connections. Transactions begin when every receive request is in its RNIC.
func (s *System) assign(list []*connection) {
	for _, c := range list {
		s.nodes[c.from.node].host.initiate(c, s.workload.Seed)
		s.nodes[c.to.node].host.serve(c)
	}
	most := 0
	for _, n := range s.nodes {
		most = max(most, len(n.host.receives))
	}
	for _, n := range s.nodes {
		n.record.start = Cycle(most + startMargin)
		n.host.start(n.record.start)
	}
}

// Run runs a system to its end. With a canceled context no further transaction begins, and the report says what was done until then.
func (s *System) Run() (*Report, error) {
	if p := s.options.Prepared; p != nil {
		p(s.engine, s.parts)
	}
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-s.options.Context.Done():
			s.stopped.Store(true)
		case <-over:
		}
	}()
	if err := s.engine.Run(); err != nil {
		return nil, fmt.Errorf("simulation: %w", err)
	}
	s.engine.Finished()
	for _, n := range s.nodes {
		if err := errors.Join(n.nic.Err(), n.host.err); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(s.complete(), s.sums(), s.copies()); err != nil {
		return nil, err
	}
	return s.report(), nil
}

// Close frees the RNICs that are hardware.
func (s *System) Close() (err error) {
	for _, n := range s.nodes {
		err = errors.Join(err, n.nic.Close())
	}
	return err
}

// Now returns the simulated time in seconds.
func (s *System) Now() float64 { return float64(s.engine.CurrentTime()) }

// complete finds transactions that have not ended, or not begun, though nothing happens any more.
func (s *System) complete() error {
	for _, n := range s.nodes {
		for _, i := range n.host.initiators {
			all := i.begun
			if i.flow.Transactions > 0 && !s.stopped.Load() {
				all = i.flow.Transactions
			}
			if i.ended != all {
				return fmt.Errorf("%s: %d of %d transactions of %s with node %d have not ended, and nothing happens any more",
					n.host.Name(), all-i.ended, all, i.flow.Name, i.to.node)
			}
		}
	}
	return nil
}

// sums compares words that only FetchAdds of one number change with what these added and found.
func (s *System) sums() error {
	for _, f := range s.workload.Flows {
		for _, m := range f.Mix {
			for _, step := range m.Steps {
				if step.Operation == Write || step.Operation == CmpSwap || step.Operation == AtomicWrite {
					return nil // other values may be there
				}
			}
		}
	}
	words := map[word64]*sum{}
	for _, n := range s.nodes {
		for k, a := range n.record.adds {
			if words[k] == nil {
				words[k] = &sum{}
			}
			w := words[k]
			w.added, w.count, w.found = w.added+a.added, w.count+a.count, w.found+a.found
		}
	}
	for k, w := range words {
		value := binary.LittleEndian.Uint64(s.nodes[k.node].read(targetAddress+k.to, 8))
		if value != w.added {
			return fmt.Errorf("node %d: the word at %#x is %d after FetchAdds of %d in all", k.node, k.to, value, w.added)
		}
		// Equal additions find 0, a, 2a, ... in some order.
		if a, is := s.uniform(); is && w.found != a*(w.count*(w.count-1)/2) {
			return fmt.Errorf("node %d: %d FetchAdds on the word at %#x found values with the sum %d", k.node, w.count, k.to, w.found)
		}
	}
	return nil
}

// uniform returns what all FetchAdds add, if that is the same number.
func (s *System) uniform() (add uint64, is bool) {
	adds := map[uint64]bool{}
	for _, f := range s.workload.Flows {
		for _, m := range f.Mix {
			for _, step := range m.Steps {
				if step.Operation == FetchAdd {
					adds[step.Add], add = true, step.Add
				}
			}
		}
	}
	return add, len(adds) == 1
}

// copies compares the memory of each node with the copy that its RNIC worked on.
func (s *System) copies() error {
	for i, n := range s.nodes {
		c, has := n.nic.(interface {
			Differs(read func(address uint64, octets int) []byte) (address uint64, differs bool)
		})
		if !has {
			continue
		}
		if address, differs := c.Differs(n.read); differs {
			return fmt.Errorf("node %d: memory at %#x differs from the model's", i, address)
		}
	}
	return nil
}

func (n *node) read(address uint64, octets int) []byte {
	data, err := n.storage.Read(address, uint64(octets))
	if err != nil {
		panic(err) // within its capacity
	}
	return data
}
