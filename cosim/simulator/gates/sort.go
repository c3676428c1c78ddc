package gates

import "errors"

// node is a gate, or an asynchronous memory read port.
type node struct {
	gate  gate
	read  *readPort
	needs []net
	state int
}

// States of a node during sorting.
const (
	untouched = iota
	waiting   // for its inputs
	placed
)

// sorter orders nodes such that each follows the drivers of its inputs.
type sorter struct {
	nodes  []*node
	driver map[net]*node
	stages []stage
}

// add adds a node and the nets that it drives.
func (s *sorter) add(n *node, drives ...net) {
	s.nodes = append(s.nodes, n)
	for _, d := range drives {
		s.driver[d] = n
	}
}

var errLoop = errors.New("a combinational loop")

func (s *sorter) sort() ([]stage, error) {
	s.stages = []stage{{}}
	for _, n := range s.nodes {
		if err := s.place(n); err != nil {
			return nil, err
		}
	}
	return s.stages, nil
}

// place places a node after the drivers of its inputs.
func (s *sorter) place(n *node) error {
	switch n.state {
	case waiting:
		return errLoop
	case placed:
		return nil
	}
	n.state = waiting
	for _, need := range n.needs {
		if d := s.driver[need]; d != nil {
			if err := s.place(d); err != nil {
				return err
			}
		}
	}
	n.state = placed
	last := &s.stages[len(s.stages)-1]
	if n.read == nil {
		last.gates = append(last.gates, n.gate)
		return nil
	}
	last.read = n.read
	s.stages = append(s.stages, stage{})
	return nil
}
