package mutate

import (
	"fmt"
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Select is the input that selects the mutant.
const Select = "mutant"

// Options select the mutants to make.
type Options struct {
	Wants  func(block string) bool         // nil: every block
	Steady func(block, stream string) bool // whether an offer is stable until it is accepted; nil: always
	Limit  int                             // mutants per block, spread over everything that can be changed; 0: all
	Seed   uint64                          // of the choice
}

// Mutant is one fault.
type Mutant struct {
	Number int // value of the input that selects it
	Block  string
	Module string
	Kind   Kind
	Place  string // wire or register whose value changes, or another place
	Change string // == became !=
	File   string // of the generator
	Line   int

	candidate *candidate
}

// Set is a design with mutants in it.
type Set struct {
	Design    *hdl.Design    // with all mutants behind the input
	Mutants   []Mutant       // from number 1
	Available map[string]int // number of possible mutants, by block

	modules []*ir.Module // originals, children first
	width   int          // of the input
	alive   *alive       // of the modules; nil: not computed yet

	isSteady func(block, stream string) bool
}

// New inserts mutants into a copy of a design.
func New(d *hdl.Design, o Options) (*Set, error) {
	s := &Set{Available: map[string]int{}, isSteady: o.Steady}
	for _, part := range d.Modules() {
		s.modules = append(s.modules, part.IR())
	}
	found, err := s.find(o)
	if err != nil {
		return nil, err
	}
	s.choose(found, o)
	s.width = max(1, bits.Len(uint(len(s.Mutants))))
	if s.Design, err = s.build(s.Mutants, s.width); err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	return s, nil
}

// find lists all mutants of the wanted blocks, without those that make a combinational loop.
func (s *Set) find(o Options) (found []Mutant, err error) {
	var pins []Mutant
	for _, m := range s.modules {
		block := m.Kind
		if o.Wants != nil && !o.Wants(block) {
			continue
		}
		places, list := candidates(m, o.Seed)
		for i := range list {
			at := &places[list[i].edits[0].slot]
			frame := at.frame()
			next := Mutant{Block: block, Module: m.Name, Kind: list[i].kind, Place: at.what, Change: list[i].change,
				File: filepath.Base(frame.File), Line: frame.Line, candidate: &list[i]}
			if next.Kind == Port && at.role == asPin {
				pins = append(pins, next)
			} else {
				found = append(found, next)
			}
		}
	}
	return append(found, s.withoutLoops(nil, pins)...), nil
}

// withoutLoops returns the mutants that can be added to the present ones without a combinational loop.
func (s *Set) withoutLoops(there, list []Mutant) []Mutant {
	if len(list) == 0 {
		return nil
	}
	all := append(slices.Clone(there), list...)
	for i := range all {
		all[i].Number = i + 1
	}
	if _, err := s.build(all, bits.Len(uint(len(all)))); err == nil {
		return list
	}
	if len(list) == 1 {
		return nil
	}
	first := s.withoutLoops(there, list[:len(list)/2])
	return append(slices.Clone(first), s.withoutLoops(append(slices.Clone(there), first...), list[len(list)/2:])...)
}

// choose selects the wanted number of mutants per block, taking its places in turn, and numbers them. The choice for a block does not
// depend on the other blocks.
func (s *Set) choose(found []Mutant, o Options) {
	type place struct {
		module string
		slot   int
	}
	places := map[string][]place{}
	at := map[place][]Mutant{}
	var blocks []string
	for _, m := range found {
		p := place{m.Module, m.candidate.edits[0].slot}
		if s.Available[m.Block]++; s.Available[m.Block] == 1 {
			blocks = append(blocks, m.Block)
		}
		if at[p] == nil {
			places[m.Block] = append(places[m.Block], p)
		}
		at[p] = append(at[p], m)
	}
	for _, block := range blocks {
		name := fnv.New64a()
		name.Write([]byte(block))
		r := rand.New(rand.NewPCG(o.Seed, name.Sum64()))
		list := places[block]
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, p := range list {
			r.Shuffle(len(at[p]), func(i, j int) { at[p][i], at[p][j] = at[p][j], at[p][i] })
		}
		want := s.Available[block]
		if o.Limit > 0 {
			want = min(want, o.Limit)
		}
		var chosen []Mutant
		for round := 0; len(chosen) < want; round++ {
			for _, p := range list {
				if round < len(at[p]) && len(chosen) < want {
					chosen = append(chosen, at[p][round])
				}
			}
		}
		s.Mutants = append(s.Mutants, chosen...)
	}
	for i := range s.Mutants {
		s.Mutants[i].Number = i + 1
	}
}

// build makes the design with some mutants, selected by an input of a width.
func (s *Set) build(mutants []Mutant, width int) (*hdl.Design, error) {
	of := map[string][]Mutant{}
	for _, m := range mutants {
		of[m.Module] = append(of[m.Module], m)
	}
	var modules []*ir.Module
	made := map[string]*ir.Module{}
	for _, m := range s.modules {
		c := m.Clone()
		if c.Parameters != nil { // mutants of one size do not apply to another
			c.Kind, c.Parameters = c.Name, nil
		}
		selected := &ir.Signal{Name: Select, Kind: ir.Input, Width: width, Doc: "selects a mutant; 0: none", PCs: c.PCs}
		put(c, of[m.Name], equals(selected))
		c.Ports = append(c.Ports, selected)
		join(c, made, selected)
		made[m.Name] = c
		modules = append(modules, c)
	}
	return hdl.FromIR(modules)
}

// join replaces the instances of a module by the modified modules, and passes the select input to them.
func join(m *ir.Module, made map[string]*ir.Module, selected *ir.Signal) {
	for _, it := range m.Items {
		inst, is := it.(*ir.Instance)
		if !is {
			continue
		}
		inst.Module = made[inst.Module.Name]
		for i := range inst.Pins {
			inst.Pins[i].Port = inst.Module.Ports[i]
		}
		if last := inst.Module.Ports[len(inst.Module.Ports)-1]; selected != nil && last.Name == Select {
			inst.Pins = append(inst.Pins, ir.Pin{Port: last, In: refTo(selected)})
		}
	}
}

// With returns the design with some of the set's mutants; the numbers of the others select the original.
func (s *Set) With(mutants []Mutant) (*hdl.Design, error) { return s.build(mutants, s.width) }
