package vectors

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/cases"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// New makes the suite of a configuration: all cases that it has room for, with what the golden model says of
// them. The same version, configuration and seed give the same suite.
func New(c gen.Config, seed uint64) (*suite.Suite, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	c.Extensions = append([]string{}, c.Extensions...) // [] in the file, never null
	ids, err := readIDs()
	if err != nil {
		return nil, err
	}
	rows, err := requirements.Of(c)
	if err != nil {
		return nil, err
	}
	s := &suite.Suite{
		Schema: suite.Schema, Version: gen.Version, Generator: Generator, Profile: c.Profile,
		Config: suite.Config{Config: c, Seed: seed}, Notes: map[string]suite.Note{},
	}
	m := maker{config: c, seed: seed, ids: ids, order: orderOf(rows)}
	for _, one := range cases.All(c) {
		if err := m.add(one); err != nil {
			return nil, err
		}
	}
	model := replay.NewModel(c)
	for _, g := range m.groups {
		slices.SortFunc(g.Streams, func(a, b suite.Stream) int { return int(a.Stream) - int(b.Stream) })
		slices.SortFunc(g.Regions[0].Memory, func(a, b suite.Word) int { return a.Index - b.Index })
		for i := range g.Tests {
			if err := m.expect(model, &g.Group, &g.Tests[i]); err != nil {
				return nil, err
			}
		}
		s.Groups = append(s.Groups, g.Group)
		s.NumberOfTests += len(g.Tests)
	}
	m.notes(s)
	return s, nil
}

// maker fills groups.
type maker struct {
	config gen.Config
	seed   uint64
	ids    map[string]int // tcId of each key
	order  map[string]int // place of a requirement in its catalogue
	groups []*group
}

// group is a group being filled.
type group struct {
	suite.Group
	window         string
	alone          bool
	streams, words *space
}

// add finds a place for a case: in the youngest group of its window that has room, or in a new one. A case for
// which an empty group has no room is not for this configuration.
func (m *maker) add(one cases.Case) error {
	id, known := m.ids[one.Key]
	if !known {
		return fmt.Errorf("vectors: case %q has no tcId in ids.txt", one.Key)
	}
	need := sizeOf(m.config, m.seed, one)
	window := fmt.Sprintf("%08x %016x", one.Window.STag, one.Window.BaseOf(m.config))
	for i := len(m.groups) - 1; i >= 0 && !one.Alone; i-- {
		g := m.groups[i]
		if g.window == window && !g.alone && len(g.Tests) < maxGroup && m.put(g, id, one, need) {
			return nil
		}
	}
	n := len(m.groups)
	g := &group{window: window, alone: one.Alone, streams: newSpace(m.config.Streams, n), words: newSpace(m.config.WindowWords, n)}
	g.Regions = []suite.Region{{Name: suite.WindowName, STag: suite.Hex32(one.Window.STag), Base: suite.Hex64(one.Window.BaseOf(m.config)),
		Words: m.config.WindowWords, Memory: []suite.Word{}}}
	if m.put(g, id, one, need) {
		m.groups = append(m.groups, g)
	}
	return nil
}

func (m *maker) put(g *group, id int, one cases.Case, need size) bool {
	if !g.streams.has(need.streams, need.fixedStream) || !g.words.has(need.words, need.fixedWord) {
		return false
	}
	stream := g.streams.take(need.streams, need.fixedStream)
	place := cases.Place{Stream: func(i int) uint32 { return uint32(stream(i)) }, Word: g.words.take(need.words, need.fixedWord)}
	w, _ := write(m.config, m.seed, one, place)
	g.Streams = append(g.Streams, w.streams...)
	g.Regions[0].Memory = append(g.Regions[0].Memory, w.words...)
	t := suite.Test{TcID: id, Comment: one.Comment, Flags: one.Flags, Requirements: one.Cites, Input: w.input, Memory: []suite.MemoryWord{}}
	for _, word := range w.words {
		t.Memory = append(t.Memory, suite.MemoryWord{Region: suite.WindowName, Word: word})
	}
	slices.SortFunc(t.Memory, func(a, b suite.MemoryWord) int { return a.Index - b.Index })
	g.Tests = append(g.Tests, t)
	return true
}

// expect asks the model what comes of a test.
func (m *maker) expect(model *replay.Model, g *suite.Group, t *suite.Test) error {
	out, err := model.Run(g, t)
	if err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	t.Expect, t.Memory = out.Expect, out.Memory
	if t.Memory == nil {
		t.Memory = []suite.MemoryWord{}
	}
	t.Result = suite.Valid
	for _, e := range t.Expect {
		if e.Record != nil && e.Record.Code != int(wire.ErrNone) {
			t.Result = suite.Error
		}
	}
	ids := append(append([]string(nil), t.Requirements...), implied(t)...)
	for _, id := range ids {
		if _, known := m.order[id]; !known {
			return &CitedError{fmt.Sprintf("tcId %d", t.TcID), id}
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return m.order[a] - m.order[b] })
	t.Requirements = slices.Compact(ids)
	return nil
}

// notes explains the flags that are used.
func (m *maker) notes(s *suite.Suite) {
	used := map[string]bool{}
	s.Each(func(_ *suite.Group, t *suite.Test) {
		for _, f := range t.Flags {
			used[f] = true
		}
	})
	for _, n := range cases.Notes {
		if used[n.Flag] {
			s.Notes[n.Flag] = n.Note
		}
	}
}

// CitedError is a test that cites a requirement which is in no catalogue of its configuration.
type CitedError struct{ Test, ID string }

func (e *CitedError) Error() string {
	return fmt.Sprintf("vectors: %s cites %s, which is in no catalogue of this configuration", e.Test, e.ID)
}

func orderOf(rows []requirements.Row) map[string]int {
	order := map[string]int{}
	for i, r := range rows {
		order[r.ID] = i
	}
	return order
}
