package vectors

import (
	"bytes"
	"encoding/json"

	"github.com/rnicgen/rnicgen/docs"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/bench"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
	"github.com/rnicgen/rnicgen/vectors/schema"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Names of files in a vector directory.
const (
	suiteFile   = "vectors.json"
	captureFile = "inputs.pcap"

	rnicCaptureFile = "segments.pcap" // both directions
	readmeFile      = "README.txt"
)

// Kind of the directory in its manifest.
const Kind = "vectors"

// DefaultSeed is the seed for those who name none.
const DefaultSeed = 1

// Manifest is the head of the directory's manifest, for outdir.Write.
func Manifest(c gen.Config, seed uint64) outdir.Manifest {
	m := outdir.Manifest{Generator: Generator + " " + gen.Version, Kind: Kind, Config: suite.Config{Config: c, Seed: seed}}
	if c.Top == gen.TopRNIC {
		m.Config = rnicsuite.Config{Config: c, Seed: seed}
	}
	return m
}

// Generate makes the files of a vector directory, and counts the tests: vectors.json with its schema, the Verilog bench with its
// memory images, a packet capture, and a README. The same version, configuration and seed give the same bytes.
func Generate(c gen.Config, seed uint64) ([]outdir.File, Summary, error) {
	if c.Top == gen.TopRNIC {
		s, err := NewRNIC(c, seed)
		if err != nil {
			return nil, Summary{}, err
		}
		list, err := rnicFiles(s)
		return list, SummarizeRNIC(s), err
	}
	s, err := New(c, seed)
	if err != nil {
		return nil, Summary{}, err
	}
	list, err := files(s)
	return list, Summarize(s), err
}

// rnicFiles writes a suite of rnic in all its forms.
func rnicFiles(s *rnicsuite.Suite) ([]outdir.File, error) {
	text, err := encode(s)
	if err != nil {
		return nil, err
	}
	capture, captured, err := rnicCapture(s)
	if err != nil {
		return nil, err
	}
	readme, err := rnicReadme(s, captured)
	if err != nil {
		return nil, err
	}
	benchFiles, err := bench.RNICFiles(s)
	if err != nil {
		return nil, err
	}
	ports, err := gen.Interfaces(s.Config.Config)
	if err != nil {
		return nil, err
	}
	return append([]outdir.File{
		{Name: readmeFile, Data: readme},
		{Name: "docs/interpretations.md", Data: []byte(docs.Interpretations)},
		{Name: "docs/ports.md", Data: []byte(ports)},
		{Name: "docs/registers.md", Data: []byte(gen.RegisterMap())},
		{Name: suiteFile, Data: text},
		{Name: rnicsuite.Schema, Data: schema.TextRNIC},
		{Name: rnicCaptureFile, Data: capture},
	}, benchFiles...), nil
}

// files writes a suite in all its forms.
func files(s *suite.Suite) ([]outdir.File, error) {
	text, err := encode(s)
	if err != nil {
		return nil, err
	}
	benchFiles, err := bench.Files(s)
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
	return append([]outdir.File{
		{Name: readmeFile, Data: readme},
		{Name: suiteFile, Data: text},
		{Name: suite.Schema, Data: schema.Text},
		{Name: captureFile, Data: capture},
	}, benchFiles...), nil
}

// encode writes vectors.json.
func encode(s any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(s)
	return b.Bytes(), err
}
