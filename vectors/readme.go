package vectors

import (
	"bytes"
	_ "embed"
	"fmt"
	"text/template"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

//go:embed readme.txt.tmpl
var readmeText string

var readmeTemplate = template.Must(template.New(readmeFile).Parse(readmeText))

// readmeOf writes what those need to know who get the directory and nothing else.
func readmeOf(s *suite.Suite, captured int) ([]byte, error) {
	sum := Summarize(s)
	facts := struct {
		gen.Config
		Seed                uint64
		Generator, Version  string
		Schema              string
		Tests, Errors       int
		Share               int
		Captured            int
		Files, Kinds, Flags []string
	}{
		Config: s.Config.Config, Seed: s.Config.Seed, Generator: s.Generator, Version: s.Version, Schema: s.Schema, Tests: sum.Tests, Errors: sum.Errors, Share: sum.ErrorShare(),
		Captured: captured,
		Files: []string{
			line(suiteFile, "the tests, for programs"),
			line(suite.Schema, "its JSON schema, with a description of every key"),
			line(captureFile, "what goes in, as iWARP over TCP, for a protocol analyser"),
			line("bench/rnic_atomics_tb.v", "the bench: plays script.hex"),
			line("bench/*_monitor*.v", "its parts that watch the outputs"),
			line("bench/pace.v", "its part that holds ports back"),
			line("bench/*.hex", "images for $readmemh"),
			line(outdir.ManifestName, "sha256 of every file"),
		},
	}
	for i, row := range wire.Errors {
		text := fmt.Sprintf("%2d %-18s %-8s", i, row.Name, "-")
		if _, has := row.Kind.Terminate(false); has {
			text = fmt.Sprintf("%2d %-18s %-8s", i, row.Name, short(row.Untagged))
			if row.Tagged != row.Untagged {
				text += " (T = 1: " + short(row.Tagged) + ")"
			}
		}
		facts.Kinds = append(facts.Kinds, text+" "+row.When)
	}
	for _, f := range sum.Flags {
		facts.Flags = append(facts.Flags, fmt.Sprintf("%-16s %4d  %s", f.Flag, f.Tests, s.Notes[f.Flag].Description))
	}
	var b bytes.Buffer
	err := readmeTemplate.Execute(&b, facts)
	return b.Bytes(), err
}

func line(file, what string) string { return fmt.Sprintf("%-28s %s", file, what) }

// short is layer, error type and code.
func short(c wire.TerminateCode) string {
	return fmt.Sprintf("%d/%d/0x%02X", uint8(c.Layer), c.EType, c.Code)
}
