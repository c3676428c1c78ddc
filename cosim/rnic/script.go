package rnic

import (
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// Script is the complete input of one end of a run, in order.
type Script struct {
	Steps []Given

	faulty []simulator.Range
}

// Faulty lists the ranges of memory that respond with errors.
func (s *Script) Faulty() []simulator.Range { return s.faulty }

// Given is one input of the end: exactly one field is set.
type Given struct {
	Region  *GivenRegion
	Open    *GivenOpen
	Memory  *GivenMemory
	Receive *rdmap.ReceiveRequest
	Work    *rdmap.WorkRequest
	Segment *Segment
	Ran     bool // the end has run
}

// GivenRegion, GivenOpen and GivenMemory hold the arguments of SetRegion, Open and Write.
type (
	GivenRegion struct {
		Index  int
		Region memory.Region
	}
	GivenOpen struct {
		Stream uint32
		Domain uint16
	}
	GivenMemory struct {
		Address uint64
		Octets  []byte
	}
)

// scribe is a node that records its input.
type scribe struct {
	*Node
	to *Script
}

func (s *scribe) add(g Given) { s.to.Steps = append(s.to.Steps, g) }

func (s *scribe) SetRegion(index int, r memory.Region) error {
	s.add(Given{Region: &GivenRegion{index, r}})
	return s.Node.SetRegion(index, r)
}

func (s *scribe) Open(stream uint32, domain uint16) error {
	s.add(Given{Open: &GivenOpen{stream, domain}})
	return s.Node.Open(stream, domain)
}

func (s *scribe) Write(address uint64, octets []byte) error {
	s.add(Given{Memory: &GivenMemory{address, slices.Clone(octets)}})
	return s.Node.Write(address, octets)
}

func (s *scribe) PostReceive(r rdmap.ReceiveRequest) error {
	s.add(Given{Receive: &r})
	return s.Node.PostReceive(r)
}

func (s *scribe) PostWork(w rdmap.WorkRequest) error {
	s.add(Given{Work: &w})
	return s.Node.PostWork(w)
}

func (s *scribe) Send(stream uint32, segment []byte) {
	s.add(Given{Segment: &Segment{stream, slices.Clone(segment)}})
	s.Node.Send(stream, segment)
}

func (s *scribe) Run(cycles, idle uint64) (Output, error) {
	s.add(Given{Ran: true})
	return s.Node.Run(cycles, idle)
}
