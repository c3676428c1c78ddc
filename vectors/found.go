package vectors

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"

	cases "github.com/rnicgen/rnicgen/vectors/cases/rdmap"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// foundID is the tcId of a test that a search has found and that is no case of this project. It says nothing about the test.
const foundID = 1_000_000

// Found makes a suite of one test that somebody has found: what goes in, from the state of a group without tests. The golden
// model says what has to come of it. The error tells when the specification leaves that open.
func Found(c gen.Config, seed uint64, comment string, g suite.Group, input []suite.Input) (*suite.Suite, error) {
	rows, err := requirements.Of(c)
	if err != nil {
		return nil, err
	}
	c.Extensions = append([]string{}, c.Extensions...)
	one := cases.Case{Key: comment, Comment: comment, Flags: []string{cases.Random}}
	t, err := makeTest(c, &g, foundID, one, input, orderOf(rows))
	if err != nil {
		return nil, err
	}
	g.Tests = []suite.Test{t}
	s := &suite.Suite{Schema: suite.Schema, Version: engine.Version, Generator: Generator, Profile: c.Profile, Config: suite.Config{Config: c, Seed: seed},
		Notes: map[string]suite.Note{}, NumberOfTests: 1, Groups: []suite.Group{g}}
	for _, n := range cases.Notes {
		if n.Flag == cases.Random {
			s.Notes[n.Flag] = n.Note
		}
	}
	text, err := encode(s)
	if err != nil {
		return nil, err
	}
	return decode(text) // as whoever reads the file
}

// FoundFiles are the files of a vector directory of such a suite.
func FoundFiles(s *suite.Suite) ([]outdir.File, error) { return files(s) }
