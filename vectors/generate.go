package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/rnicgen/rnicgen/docs"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/bench"
	"github.com/rnicgen/rnicgen/vectors/schema"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Names of files in a vector directory.
const (
	suiteFile   = "vectors.json"
	captureFile = "segments.pcap" // both directions
	readmeFile  = "README.txt"
)

// Kind of the directory in its manifest.
const Kind = "vectors"

// DefaultSeed is the seed used by default.
const DefaultSeed = 1

// Manifest returns the header of the directory's manifest, for outdir.Write.
func Manifest(c gen.Config, seed uint64) outdir.Manifest {
	return outdir.Manifest{Generator: Generator + " " + engine.Version, Kind: Kind, Config: suite.Config{Config: c, Seed: seed}}
}

// Generate returns the files of a vector directory, and a summary of its tests: vectors.json with its schema, the
// Verilog bench with its memory images, a packet capture, documentation, and a README. Version, configuration and seed
// determine every byte.
func Generate(c gen.Config, seed uint64) ([]outdir.File, Summary, error) {
	s, err := New(c, seed)
	if err != nil {
		return nil, Summary{}, err
	}
	list, err := files(s)
	return list, Summarize(s), err
}

// files returns a suite in all its forms.
func files(s *suite.Suite) ([]outdir.File, error) {
	text, err := encode(s)
	if err != nil {
		return nil, err
	}
	capture, captured, err := captureOf(s)
	if err != nil {
		return nil, err
	}
	readme, err := readmeOf(s, captured)
	if err != nil {
		return nil, err
	}
	benchFiles, err := bench.Files(s)
	if err != nil {
		return nil, err
	}
	ports, err := interfaces(s.Config.Config)
	if err != nil {
		return nil, err
	}
	return append([]outdir.File{
		{Name: readmeFile, Data: readme},
		{Name: "docs/interpretations.md", Data: []byte(docs.Interpretations)},
		{Name: "docs/ports.md", Data: []byte(ports)},
		{Name: "docs/registers.md", Data: []byte(gen.RegisterPage())},
		{Name: suiteFile, Data: text},
		{Name: suite.Schema, Data: schema.Text},
		{Name: captureFile, Data: capture},
	}, benchFiles...), nil
}

// pages caches the pages of ports by configuration: each takes a compilation.
var pages sync.Map

func interfaces(c gen.Config) (string, error) {
	page, _ := pages.LoadOrStore(fmt.Sprint(c), sync.OnceValues(func() (string, error) { return gen.Interfaces(c) }))
	return page.(func() (string, error))()
}

// encode returns vectors.json.
func encode(s *suite.Suite) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(s)
	return b.Bytes(), err
}
