package fuzz

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Vector writes a program as a directory of test vectors with the one test of Suite.
func Vector(p Program, hardware []Hardware) ([]outdir.File, error) {
	s, err := Suite(p, hardware)
	if err != nil {
		return nil, err
	}
	return vectors.FoundFiles(s)
}

// Suite converts a program to one test: the input of its first end up to the difference, or the end. Inputs wait for each other
// where the traffic waited; if the specification leaves the outcome open, all of them wait. If the outcome is open even then,
// there is no such test, and the error describes the choice.
func Suite(p Program, hardware []Hardware) (*suite.Suite, error) {
	if c := p.Config(hardware); c.Profile != gen.ProfileRDMAP {
		return nil, fmt.Errorf("a program of profile %s has two ends that answer each other: run it with --program", c.Profile)
	}
	plan := p.plan(hardware)
	script := &rnic.Script{}
	plan.Script, plan.Coverage = script, &simulator.Coverage{}
	if _, err := rnic.Run(plan); err != nil && !rnic.IsMismatch(err) {
		return nil, err
	}
	g, input, err := testOf(plan.Config.Protocol(), script)
	if err != nil {
		return nil, err
	}
	comment := fmt.Sprintf("Found by a search: program %v.", p)
	s, err := vectors.Found(plan.Config, plan.Seed, comment, g, input)
	if err != nil {
		for i := range input {
			input[i].Wait = true
		}
		var again error
		if s, again = vectors.Found(plan.Config, plan.Seed, comment, g, input); again != nil {
			return nil, errors.Join(err, again)
		}
	}
	return s, nil
}

// testOf converts an end's input to a group's state and inputs. Unused rows are left out, with their memory. What memory refuses, the platform
// cannot flush.
func testOf(x spec.Extensions, script *rnic.Script) (g suite.Group, input []suite.Input, err error) {
	g = suite.Group{Streams: []suite.Stream{}, Regions: []suite.Region{}, Memory: []suite.Octets{}, Failing: []suite.Failing{}, Tests: []suite.Test{}}
	used := uses(x, script)
	rows := map[int]memory.Region{}
	first := slices.IndexFunc(script.Steps, func(s rnic.Given) bool { return s.Ran })
	if first < 0 {
		return g, nil, errors.New("the program has no effect")
	}
	wait := true
	port := ""
	add := func(in suite.Input) {
		in.Wait = wait || in.Port != port || in.Port == suite.PortControl
		port, wait = in.Port, false
		input = append(input, in)
	}
	for i, s := range script.Steps {
		switch {
		case s.Ran:
			wait = true
		case s.Region != nil && used[s.Region.Index]:
			r := suite.RegionOf(s.Region.Index, s.Region.Region)
			if i < first {
				g.Regions = append(g.Regions, r)
				rows[s.Region.Index] = s.Region.Region
			} else {
				add(suite.Input{Port: suite.PortControl, Region: &r})
			}
		case s.Open != nil:
			o := suite.Stream{Stream: s.Open.Stream, Domain: s.Open.Domain}
			if i < first {
				g.Streams = append(g.Streams, o)
			} else {
				add(suite.Input{Port: suite.PortControl, Open: &o})
			}
		case s.Memory != nil && i < first:
			for _, r := range rows {
				if r.Address == s.Memory.Address {
					g.Memory = append(g.Memory, suite.Octets{Address: suite.Hex64(s.Memory.Address), Hex: s.Memory.Octets})
				}
			}
		case s.Receive != nil:
			add(suite.Input{Port: suite.PortReceive, Receive: suite.ReceiveOf(*s.Receive)})
		case s.Work != nil:
			add(suite.Input{Port: suite.PortWork, Work: suite.WorkOf(*s.Work)})
		case s.Segment != nil:
			stream := s.Segment.Stream
			add(suite.Input{Port: suite.PortRx, Stream: &stream, Hex: s.Segment.Octets})
		}
	}
	g.Memory = joined(g.Memory)
	for _, r := range script.Faulty() {
		for _, row := range rows {
			if row.Address <= r.Last && row.Address+row.Length > r.First {
				g.Failing = append(g.Failing, suite.Failing{First: suite.Hex64(r.First), Last: suite.Hex64(r.Last), Reads: r.Reads, Writes: r.Writes, Flushes: x&spec.Commit != 0})
				break
			}
		}
	}
	return g, input, nil
}

// joined merges all ranges into one, with zeros in between, since the bench has one memory.
func joined(list []suite.Octets) []suite.Octets {
	if len(list) == 0 {
		return []suite.Octets{{Address: 1 << 20, Hex: make(suite.HexOctets, 64)}}
	}
	first, end := list[0].Address, list[0].Address
	for _, o := range list {
		first, end = min(first, o.Address), max(end, o.Address+suite.Hex64(len(o.Hex)))
	}
	first, end = first&^4095, (end+4095)&^4095
	octets := make(suite.HexOctets, end-first)
	for _, o := range list {
		copy(octets[o.Address-first:], o.Hex)
	}
	return []suite.Octets{{Address: first, Hex: octets}}
}

// uses returns the rows of the STag table that are named anywhere.
func uses(x spec.Extensions, script *rnic.Script) map[int]bool {
	used := map[int]bool{}
	name := func(stags ...uint32) {
		for _, s := range stags {
			used[int(s>>8)] = true
		}
	}
	for _, s := range script.Steps {
		switch {
		case s.Receive != nil:
			name(s.Receive.Buffer.STag)
		case s.Work != nil:
			name(s.Work.Local.STag)
		case s.Segment != nil:
			view, _ := wire.ClassifyWith(x, s.Segment.Octets)
			name(view.Header.STag, view.Header.InvalidateSTag)
			var read wire.ReadRequest
			var atomic wire.AtomicRequest
			if view.Header.Opcode.Is(spec.ReadRequest) && read.Decode(view.Payload) == nil {
				name(read.DataSourceSTag)
			}
			if view.Header.Opcode.Is(spec.AtomicRequest) && atomic.Decode(view.Payload) == nil {
				name(atomic.RemoteSTag)
			}
			var sink wire.VerifyRequest // all three requests of the extension begin like it
			if x.Is(view.Header.Opcode, spec.Committing) && sink.Decode(view.Payload) == nil {
				name(sink.STag)
			}
		}
	}
	return used
}
