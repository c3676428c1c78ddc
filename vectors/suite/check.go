package suite

import (
	"fmt"
	"math"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

func refuse(field string, value any, allowed string, values ...any) error {
	return &FieldError{Field: field, Value: value, Allowed: fmt.Sprintf(allowed, values...)}
}

// Check checks what a schema cannot express, such as valid references. It returns the first error, a FieldError or an
// error of gen.Config.
func (s *Suite) Check() error {
	if err := s.Config.Check(); err != nil {
		return err
	}
	switch {
	case s.Config.Top != gen.Top:
		return refuse("config/top", s.Config.Top, gen.Top)
	case s.Profile != s.Config.Profile:
		return refuse("profile", s.Profile, "%s, the profile of config", s.Config.Profile)
	}
	seen := map[int]string{}
	for i := range s.Groups {
		at := fmt.Sprintf("groups/%d", i)
		if err := s.checkGroup(at, &s.Groups[i]); err != nil {
			return err
		}
		for j := range s.Groups[i].Tests {
			t, place := &s.Groups[i].Tests[j], fmt.Sprintf("%s/tests/%d", at, j)
			if other, twice := seen[t.TcID]; twice {
				return refuse(place+"/tcId", t.TcID, "a unique number; %s has this one too", other)
			}
			seen[t.TcID] = place
			if err := s.checkTest(place, &s.Groups[i], t); err != nil {
				return err
			}
		}
	}
	if len(seen) != s.NumberOfTests {
		return refuse("numberOfTests", s.NumberOfTests, "%d, the number of tests in groups", len(seen))
	}
	return nil
}

func (s *Suite) checkGroup(at string, g *Group) error {
	streams, rows := map[uint32]bool{}, map[int]bool{}
	for i, one := range g.Streams {
		field := fmt.Sprintf("%s/streams/%d/stream", at, i)
		if err := s.checkStream(field, one.Stream); err != nil {
			return err
		}
		if streams[one.Stream] {
			return refuse(field, one.Stream, "each stream once")
		}
		streams[one.Stream] = true
	}
	for i := range g.Regions {
		field := fmt.Sprintf("%s/regions/%d", at, i)
		if err := s.checkRegion(field, &g.Regions[i]); err != nil {
			return err
		}
		index, _ := g.Regions[i].Row()
		if rows[index] {
			return refuse(field+"/stag", fmt.Sprintf("%08x", uint32(g.Regions[i].STag)), "each row once")
		}
		rows[index] = true
	}
	if err := checkRanges(at+"/memory", g.Memory); err != nil {
		return err
	}
	for i, f := range g.Failing {
		if f.Last < f.First || !f.Reads && !f.Writes && !f.Flushes {
			return refuse(fmt.Sprintf("%s/failing/%d", at, i), fmt.Sprintf("%x to %x", uint64(f.First), uint64(f.Last)), "first at most last; reads, writes or both")
		}
		if f.Flushes && !s.commits() {
			return s.refuseCommit(fmt.Sprintf("%s/failing/%d/flushes", at, i))
		}
		if f.Response != "" && !slices.Contains(Responses, f.Response) {
			return refuse(fmt.Sprintf("%s/failing/%d/response", at, i), f.Response, "%s or %s", Responses[0], Responses[1])
		}
	}
	return nil
}

func (s *Suite) checkStream(field string, stream uint32) error {
	if int64(stream) >= int64(s.Config.Streams) {
		return refuse(field, stream, "0 to %d", s.Config.Streams-1)
	}
	return nil
}

func (s *Suite) checkRegion(field string, r *Region) error {
	index, row := r.Row()
	switch {
	case index >= s.Config.STags:
		return refuse(field+"/stag", fmt.Sprintf("%08x", uint32(r.STag)), "an index from 0 to %d", s.Config.STags-1)
	case (r.Stream == nil) == (r.Domain == nil):
		return refuse(field, "owned by a stream and a domain, or by neither", "a stream or a domain")
	case r.Stream != nil && *r.Stream > math.MaxUint16:
		return refuse(field+"/stream", *r.Stream, "0 to %d", math.MaxUint16)
	case (r.Commit != nil || row.Rights>>len(Rights) != 0) && !s.commits():
		return s.refuseCommit(field)
	case row.Length > 0 && (row.Base > -row.Length || row.Address > -row.Length):
		return refuse(field+"/length", fmt.Sprintf("%016x", row.Length), "base and address + length at most 2^64")
	}
	return nil
}

// checkRanges returns an error for memory ranges that are not in ascending order or overlap.
func checkRanges(at string, ranges []Octets) error {
	for i, r := range ranges {
		field := fmt.Sprintf("%s/%d", at, i)
		if len(r.Hex) == 0 || uint64(r.Address) > -uint64(len(r.Hex)) {
			return refuse(field, fmt.Sprintf("%d octets at %016x", len(r.Hex), uint64(r.Address)), "at least one octet, none past 2^64")
		}
		if i > 0 && uint64(r.Address) < uint64(ranges[i-1].Address)+uint64(len(ranges[i-1].Hex)) {
			return refuse(field+"/address", fmt.Sprintf("%016x", uint64(r.Address)), "an address after the previous range")
		}
	}
	return nil
}

// holds reports whether the group's memory has all octets of a range.
func (g *Group) holds(address Hex64, octets uint64) bool {
	return slices.ContainsFunc(g.Memory, func(m Octets) bool {
		return address >= m.Address && uint64(address)-uint64(m.Address)+octets <= uint64(len(m.Hex))
	})
}

func (s *Suite) checkTest(at string, g *Group, t *Test) error {
	for i, f := range t.Flags {
		if _, known := s.Notes[f]; !known {
			return refuse(fmt.Sprintf("%s/flags/%d", at, i), f, "a flag described in notes")
		}
	}
	for i := range t.Input {
		if err := s.checkInput(fmt.Sprintf("%s/input/%d", at, i), t, i); err != nil {
			return err
		}
	}
	if err := s.checkOutcome(at, g, t, Outcome{t.Expect, t.Memory, t.Unspecified}); err != nil {
		return err
	}
	for i, a := range t.Alternatives {
		if err := s.checkOutcome(fmt.Sprintf("%s/alternatives/%d", at, i), g, t, Outcome{a.Expect, a.Memory, a.Unspecified}); err != nil {
			return err
		}
	}
	for i := range t.Input {
		if c := t.Input[i].Copy; c != nil && (c.Expect >= len(t.Expect) || c.From+CopyOctets > len(t.Expect[c.Expect].Hex) || c.At+CopyOctets > len(t.Input[i].Hex)) {
			return refuse(fmt.Sprintf("%s/input/%d/copy", at, i), fmt.Sprintf("octets %d of expect/%d to octet %d", c.From, c.Expect, c.At), "%d octets within the expected segment, copied to within this one", CopyOctets)
		}
	}
	if result := ResultOf(t); t.Result != result {
		return refuse(at+"/result", t.Result, "%s, which its outcomes imply", result)
	}
	return nil
}

// checkOutcome checks one outcome of a test.
func (s *Suite) checkOutcome(at string, g *Group, t *Test, o Outcome) error {
	for i, r := range o.Unspecified {
		if r.Octets < 1 || !g.holds(r.Address, uint64(r.Octets)) {
			return refuse(fmt.Sprintf("%s/unspecified/%d", at, i), fmt.Sprintf("%d octets at %016x", r.Octets, uint64(r.Address)), "octets of the group's memory")
		}
	}
	for i := range o.Expect {
		e, field := &o.Expect[i], fmt.Sprintf("%s/expect/%d", at, i)
		if e.Input >= len(t.Input) {
			return refuse(field+"/input", e.Input, "0 to %d", len(t.Input)-1)
		}
		if err := s.checkStream(field+"/stream", e.Stream); err != nil {
			return err
		}
		if err := g.checkInside(field+"/memory", e.Memory); err != nil {
			return err
		}
		if e.Flush != nil && !s.commits() {
			return s.refuseCommit(field + "/flush")
		}
		if a := e.Allowed; a != nil && len(a.Mask) != 0 && len(a.Mask) != len(e.Hex) {
			return refuse(field+"/allowed/mask", fmt.Sprintf("%d octets", len(a.Mask)), "%d octets, as in hex", len(e.Hex))
		}
		if a := e.Allowed; a != nil && len(a.Codes) > 0 && (!e.IsTerminate() || len(e.Hex) <= terminateCode) {
			return refuse(field+"/allowed/codes", "codes of a message other than a Terminate", "codes only in a Terminate")
		}
	}
	return g.checkInside(at+"/memory", o.Memory)
}

func (g *Group) checkInside(at string, ranges []Octets) error {
	if err := checkRanges(at, ranges); err != nil {
		return err
	}
	for i, r := range ranges {
		if !g.holds(r.Address, uint64(len(r.Hex))) {
			return refuse(fmt.Sprintf("%s/%d", at, i), fmt.Sprintf("%d octets at %016x", len(r.Hex), uint64(r.Address)), "octets of the group's memory")
		}
	}
	return nil
}

// commits reports whether the configuration has the extension commit; refuseCommit refuses what only that has.
func (s *Suite) commits() bool { return s.Config.Protocol()&spec.Commit != 0 }

func (s *Suite) refuseCommit(field string) error {
	return refuse(field, "of the extension commit", "only with it")
}

func (s *Suite) checkInput(field string, t *Test, i int) error {
	in := &t.Input[i]
	if !in.Wait && (i == 0 || in.Port == PortTx || t.Input[i-1].Port != in.Port && in.Port != PortControl && t.Input[i-1].Port != PortControl) {
		return refuse(field+"/wait", in.Wait, "true, unless the previous input is on the same stream port, or one of the two is on %s", PortControl)
	}
	switch {
	case in.Read != "" && !readable(in.Read):
		return refuse(field+"/read", in.Read, "a constant register, a counter, or %s", LogRegister)
	case in.Port == PortRx && len(in.Hex) > 65535:
		return refuse(field+"/hex", fmt.Sprintf("%d octets", len(in.Hex)), "0 to 65535 octets")
	case (in.Port == PortFlushed || in.Work != nil && in.Work.Commit != nil) && !s.commits():
		return s.refuseCommit(field)
	case in.Work != nil && !s.Config.Protocol().Is(wire.Opcode(in.Work.Opcode), spec.Write|spec.Requests|spec.Receives):
		return refuse(field+"/work/opcode", in.Work.Opcode, "the opcode of a work request")
	case in.Stream != nil:
		return s.checkStream(field+"/stream", *in.Stream)
	case in.Work != nil:
		return s.checkStream(field+"/work/stream", in.Work.Stream)
	case in.Receive != nil:
		return s.checkStream(field+"/receive/stream", in.Receive.Stream)
	case in.Region != nil:
		return s.checkRegion(field+"/region", in.Region)
	case in.Open != nil:
		return s.checkStream(field+"/open/stream", in.Open.Stream)
	case in.Shut != nil:
		return s.checkStream(field+"/shut", *in.Shut)
	}
	return nil
}
