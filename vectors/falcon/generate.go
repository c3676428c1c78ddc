package falcon

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"text/template"

	"github.com/rnicgen/rnicgen/docs"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
	cases "github.com/rnicgen/rnicgen/vectors/cases/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/bench"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	"github.com/rnicgen/rnicgen/vectors/schema"
)

// Names of files in a vector directory.
const (
	suiteFile  = "vectors.json"
	readmeFile = "README.txt"
)

// Kind of the directory in its manifest.
const Kind = "vectors of profile " + suite.Profile

//go:embed falcon_vectors_v1.schema.json
var schemaText []byte

var validate = schema.New(suite.Schema, schemaText)

// Manifest returns the header of the directory's manifest, for outdir.Write.
func Manifest(c suite.Config, seed uint64) outdir.Manifest {
	return outdir.Manifest{Generator: Generator + " " + engine.Version, Kind: Kind, Config: suite.Seeded{Config: c, Seed: seed}}
}

// Generate returns the files of a vector directory, and a summary of its tests: vectors.json with its schema, the decisions
// and a README. Version, configuration and seed determine every byte.
func Generate(c suite.Config, seed uint64) ([]outdir.File, Summary, error) {
	s, err := New(c, seed)
	if err != nil {
		return nil, Summary{}, err
	}
	list, err := files(s)
	return list, Summarize(s), err
}

func files(s *suite.Suite) ([]outdir.File, error) {
	text, err := encode(s)
	if err != nil {
		return nil, err
	}
	readme, err := readmeOf(s)
	if err != nil {
		return nil, err
	}
	list, err := bench.Files(s)
	return append(list, []outdir.File{{Name: readmeFile, Data: readme}, {Name: "docs/falcon_vectors.md", Data: []byte(docs.FalconVectors)},
		{Name: "docs/interpretations.md", Data: []byte(docs.Interpretations)},
		{Name: suiteFile, Data: text}, {Name: suite.Schema, Data: schemaText}}...), err
}

// encode returns vectors.json.
func encode(s *suite.Suite) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(s)
	return b.Bytes(), err
}

//go:embed readme.txt.tmpl
var readmeText string

var readmeTemplate = template.Must(template.New(readmeFile).Parse(readmeText))

func readmeOf(s *suite.Suite) ([]byte, error) {
	facts := struct {
		suite.Seeded
		Summary
		Generator, Version  string
		Share               int
		Tags, Causes, Types []string
	}{Seeded: s.Config, Summary: Summarize(s), Generator: s.Generator, Version: s.Version}
	facts.Share = facts.ErrorShare()
	for _, n := range cases.Notes {
		for _, f := range facts.Flags {
			if f.Name == n.Flag {
				facts.Tags = append(facts.Tags, fmt.Sprintf("%-16s %4d  %s", f.Name, f.Tests, n.Description))
			}
		}
	}
	for _, r := range facts.Rules {
		facts.Causes = append(facts.Causes, fmt.Sprintf("%-18s %4d  %s", r.Name, r.Tests, ruleText(r.Name)))
	}
	for _, o := range facts.Operations {
		facts.Types = append(facts.Types, fmt.Sprintf("%-32s %4d", o.Name, o.Tests))
	}
	var b bytes.Buffer
	err := readmeTemplate.Execute(&b, facts)
	return b.Bytes(), err
}
