package vectors

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"text/template"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/vectors/bench"
	"github.com/rnicgen/rnicgen/vectors/meaning"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Addresses of the capture: the client is 10.0.0.0 plus the tcId, its port the first dynamic one plus the stream.
const (
	firstClientPort = 49152 // so that 16384 streams end at 65535
	serverPort      = 7306
)

var server = netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), serverPort)

// captureOf writes the segments of every test as iWARP, both directions, with one TCP connection per stream. An outcome
// follows the input that caused it. A test that reopens a stream is omitted, since a connection cannot be reopened.
// captured is the number of tests included.
func captureOf(s *suite.Suite) (pcap []byte, captured int, err error) {
	var conversations []capture.Conversation
	s.Each(func(_ *suite.Group, t *suite.Test) {
		if of := conversationsOf(t); len(of) > 0 {
			conversations = append(conversations, of...)
			captured++
		}
	})
	var b bytes.Buffer
	if err := capture.WriteIWARP(&b, conversations); err != nil {
		return nil, 0, fmt.Errorf("vectors: %w", err)
	}
	return b.Bytes(), captured, nil
}

func conversationsOf(t *suite.Test) (out []capture.Conversation) {
	at := map[uint32]int{} // index in out, by stream
	add := func(stream uint32, toServer bool, segment []byte) {
		if _, known := at[stream]; !known {
			at[stream] = len(out)
			address := netip.AddrFrom4([4]byte{10, byte(t.TcID >> 16), byte(t.TcID >> 8), byte(t.TcID)})
			out = append(out, capture.Conversation{Client: netip.AddrPortFrom(address, uint16(firstClientPort+stream)), Server: server})
		}
		c := &out[at[stream]]
		c.Segments = append(c.Segments, capture.Segment{ToServer: toServer, ULPDU: segment})
	}
	for i := range t.Input {
		in := &t.Input[i]
		if in.Open != nil {
			return nil
		}
		if in.Port == suite.PortRx {
			add(*in.Stream, true, in.Hex)
		}
		for j := range t.Expect {
			if e := &t.Expect[j]; e.Input == i && e.Port == suite.PortTx {
				add(e.Stream, false, e.Hex)
			}
		}
	}
	return out
}

//go:embed readme.txt.tmpl
var readmeText string

var readmeTemplate = template.Must(template.New(readmeFile).Parse(readmeText))

// readmeOf writes the instructions for readers who have only the directory.
func readmeOf(s *suite.Suite, captured int) ([]byte, error) {
	sum := Summarize(s)
	facts := struct {
		gen.Config
		Seed                    uint64
		Generator, Version      string
		Tests, Errors, Share    int
		Acceptable, Quiet       int
		Captured                int
		Files, Terminates, Tags []string
		Commit                  bool
		Strict                  []string // lines of the decisions without alternatives
	}{
		Commit: s.Config.Protocol()&spec.Commit != 0,
		Config: s.Config.Config, Seed: s.Config.Seed, Generator: s.Generator, Version: s.Version, Tests: sum.Tests, Errors: sum.Errors, Share: sum.ErrorShare(),
		Acceptable: sum.Acceptable, Quiet: bench.QuietCycles, Captured: captured,
		Files: []string{
			line(suiteFile, "the tests, for programs"),
			line(suite.Schema, "its JSON schema, with a description of every key"),
			line(captureFile, "segments of both directions as iWARP over TCP, for a protocol analyser"),
			line("docs/*.md", "ports and registers of the generated top, and the decisions on unclear text"),
			line("bench/rnic_tb.v", "the bench: executes script.hex"),
			line("bench/rnic_wrapper.v", "the design-specific part: ports and set-up"),
			line("bench/axi_memory.v", "its memory"),
			line("bench/pace.v", "stalls its ports"),
			line("bench/*.hex", "images for $readmemh"),
			line("bench/FORMATS.md", "the format of the images"),
			line("example/*.v", "a design with other ports, and its wrapper"),
			line(outdir.ManifestName, "sha256 of every file"),
		},
	}
	for ids := range slices.Chunk(meaning.WithoutAlternative, 12) {
		facts.Strict = append(facts.Strict, strings.Join(ids, ", "))
	}
	for _, c := range sum.Terminates {
		facts.Terminates = append(facts.Terminates, fmt.Sprintf("%-10s %4d", c.Code, c.Terminates))
	}
	for _, f := range sum.Flags {
		facts.Tags = append(facts.Tags, fmt.Sprintf("%-16s %4d  %s", f.Flag, f.Tests, s.Notes[f.Flag].Description))
	}
	var b bytes.Buffer
	err := readmeTemplate.Execute(&b, facts)
	return b.Bytes(), err
}

func line(file, what string) string { return fmt.Sprintf("%-28s %s", file, what) }
