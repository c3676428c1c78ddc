package vectors

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	rniccases "github.com/rnicgen/rnicgen/vectors/rnic/cases"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// foundID is the tcId of a test that a search has found and that is no case of this project. It says nothing about the test.
const foundID = 1_000_000

// Found makes a suite of one test that somebody has found: what goes in, from the state of a group without tests. The golden
// model says what has to come of it. The error tells when the specification leaves that open.
func Found(c gen.Config, seed uint64, comment string, g rnicsuite.Group, input []rnicsuite.Input) (*rnicsuite.Suite, error) {
	rows, err := requirements.Of(c)
	if err != nil {
		return nil, err
	}
	c.Extensions = append([]string{}, c.Extensions...)
	one := rniccases.Case{Key: comment, Comment: comment, Flags: []string{rniccases.Random}}
	t, err := rnicTest(c, &g, foundID, one, input, orderOf(rows))
	if err != nil {
		return nil, err
	}
	g.Tests = []rnicsuite.Test{t}
	s := &rnicsuite.Suite{Schema: rnicsuite.Schema, Version: gen.Version, Generator: Generator, Profile: c.Profile, Config: rnicsuite.Config{Config: c, Seed: seed},
		Notes: map[string]suite.Note{}, NumberOfTests: 1, Groups: []rnicsuite.Group{g}}
	for _, n := range rniccases.Notes {
		if n.Flag == rniccases.Random {
			s.Notes[n.Flag] = n.Note
		}
	}
	text, err := encode(s)
	if err != nil {
		return nil, err
	}
	return decodeRNIC(text) // as whoever reads the file
}

// FoundFiles are the files of a vector directory of such a suite.
func FoundFiles(s *rnicsuite.Suite) ([]outdir.File, error) { return rnicFiles(s) }
