package vectors

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"

	cases "github.com/rnicgen/rnicgen/vectors/cases/rdmap"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// foundID is the tcId of every test found by a search, which is not one of this project's cases.
const foundID = 1_000_000

// Found returns a suite with one test found by a search: its input, starting from the state of a group without tests.
// The golden model determines the outcome; if the specification leaves the outcome open, Found returns an error.
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
	return decode(text) // as a reader of the file would
}

// FoundFiles returns the files of a vector directory with such a suite.
func FoundFiles(s *suite.Suite) ([]outdir.File, error) { return files(s) }
