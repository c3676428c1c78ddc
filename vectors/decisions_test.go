package vectors

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/docs"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/meaning"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// notShown lists the decisions on which no test depends, and why.
var notShown = map[string]string{
	"I-49": "the outcome is open; cosim compares the words that no Write shares with an Atomic",
	"I-95": "the platform of the bench stores nothing; tests of the golden model crash it",
	"I-50": "the number of responses after the failing one depends on timing; cosim compares the sent ones",
}

// sectionsKnown lists the sections that tests cite, reviewed against the tables of contents. They may also cite those of
// other catalogues.
var sectionsKnown = []string{
	"RFC 5040 4.1", "RFC 5040 4.3", "RFC 5040 4.4", "RFC 5040 4.5", "RFC 5040 4.6", "RFC 5040 4.7", "RFC 5040 4.8", "RFC 5040 5.1", "RFC 5040 5.2", "RFC 5040 5.3",
	"RFC 5040 5.4", "RFC 5040 5.5", "RFC 5040 6.2", "RFC 5040 7.2", "RFC 5041 4.2", "RFC 5041 4.3", "RFC 5041 5.2", "RFC 5041 5.4", "RFC 5041 7.1", "RFC 5041 7.2",
	"RFC 7306 5.1", "RFC 7306 5.2.1", "RFC 7306 5.2.2", "RFC 7306 6.1", "RFC 7306 6.2", "RFC 7306 6.3", "RFC 7306 7", "RFC 7306 8.1", "RFC 7306 8.2",
}

// numberedSpecification is a specification with a number, in the id of a requirement.
var numberedSpecification = regexp.MustCompile(`^([A-Z]+)([0-9]+)$`)

// sectionsOfCatalogues returns the sections that catalogues cover: for RFC7306-5.1-01, RFC 7306 5.1.
func sectionsOfCatalogues(t *testing.T) (list []string) {
	t.Helper()
	rows, err := requirements.All()
	require.NoError(t, err)
	for _, r := range rows {
		specification, _, _ := strings.Cut(r.ID, "-")
		list = append(list, numberedSpecification.ReplaceAllString(specification, "$1 $2")+" "+r.Section)
	}
	return list
}

// TestDecisions: everything that tests cite exists, every decision is cited or excused, and a test with a Terminate
// code that no RFC defines cites the decision.
func TestDecisions(t *testing.T) {
	t.Parallel()
	exists := docs.Decisions()
	require.Greater(t, len(exists), 35)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(exists))), len(exists), "an id twice")
	shown, sections, sectionsExist := map[string]bool{}, map[string]bool{}, append(sectionsOfCatalogues(t), sectionsKnown...)
	for _, c := range configs {
		s := newSuite(t, c.config)
		decided, codes := 0, 0
		s.Each(func(g *suite.Group, one *suite.Test) {
			for _, id := range one.Decisions {
				shown[id] = true
				assert.Contains(t, exists, id, one.Comment)
			}
			for _, section := range one.Sections {
				sections[section] = true
				assert.True(t, slices.Contains(sectionsExist, section), "%s: %s", section, one.Comment)
			}
			if !slices.ContainsFunc(one.Input, func(in suite.Input) bool { return in.Read != "" }) { // no specification covers registers
				assert.NotEmpty(t, one.Sections, one.Comment)
			}
			out, err := replay.Model(s.Config.Config, g, one, replay.Eager, false)
			require.NoError(t, err)
			verdict := 0
			for i := range one.Input {
				if one.Input[i].Port != suite.PortRx {
					continue
				}
				kind := out.Verdicts[verdict]
				verdict++
				came, open := out.Arrivals[i]
				assert.Equal(t, kind != spec.StreamNotOpen, open, one.Comment)
				switch {
				case kind == spec.None:
					assert.Empty(t, came.Faults, one.Comment)
				case kind != spec.StreamNotOpen && kind != spec.Local: // which may be caused by memory
					assert.Contains(t, came.Faults, kind, one.Comment)
				}
			}
			for i := range one.Expect {
				e := &one.Expect[i]
				if !e.IsTerminate() {
					continue
				}
				codes++
				cause := out.Causes[i]
				op, tagged := cause.Request, false
				if cause.Input >= 0 {
					view, _ := wire.ClassifyWith(c.config.Protocol(), one.Input[cause.Input].Hex)
					op, tagged = view.Header.Opcode, view.Header.Tagged
				}
				r, known := meaning.RulingOn(cause.Kind, op, tagged, cause.Later)
				require.True(t, known, one.Comment)
				assert.Equal(t, []byte{byte(r.Code.Layer)<<4 | r.Code.EType, r.Code.Code}, []byte(e.Hex[18:20]), one.Comment)
				if !r.Open() {
					continue
				}
				decided++
				assert.NotEmpty(t, r.Decisions, one.Comment)
				assert.Subset(t, one.Decisions, r.Decisions, one.Comment)
				require.NotNil(t, e.Allowed, one.Comment)
				assert.NotEmpty(t, e.Allowed.Codes, one.Comment)
				assert.Equal(t, suite.Acceptable, one.Result, one.Comment)
			}
		})
		t.Logf("%s: %d of %d codes are decisions of this project", c.name, decided, codes)
	}
	profile, cited := docs.DecisionsOf("RDMA over Falcon"), citedBy(t, "../model/falcon")
	for _, id := range exists {
		if slices.Contains(profile, id) { // the vectors of the profile have a test of their own
			assert.True(t, cited[id], "%s: must be cited by the model", id)
			continue
		}
		assert.True(t, shown[id] != (notShown[id] != ""), "%s: must be either cited by a test or excused", id)
	}
	for id := range notShown {
		assert.Contains(t, exists, id)
	}
	for _, section := range sectionsKnown {
		assert.True(t, sections[section], "%s: no test cites this section", section)
	}
}

// citedBy returns the decisions that the Go files of a directory cite.
func citedBy(t *testing.T, dir string) map[string]bool {
	t.Helper()
	cited := map[string]bool{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, id := range regexp.MustCompile(`\bI-[0-9]{2,3}\b`).FindAllString(string(text), -1) {
			cited[id] = true
		}
		return err
	}))
	return cited
}

// TestRulings: every check has a ruling, with the code of the model, for each form of segment in which it can occur.
func TestRulings(t *testing.T) {
	exists := docs.Decisions()
	for kind := spec.ShortHeader; kind <= spec.ResponseLength; kind++ {
		if kind == spec.StreamNotOpen {
			continue
		}
		for _, tagged := range []bool{false, true} {
			want, has := kind.Terminate()
			require.True(t, has)
			for op := range wire.Opcode(1 << spec.MaxOpcodeBits) {
				r, known := meaning.RulingOn(kind, op, tagged, false)
				require.True(t, known, "%v in %v", kind, op)
				assert.Equal(t, want, r.Code, "%v in %v", kind, op)
			}
		}
	}
	for _, r := range meaning.Rulings {
		assert.True(t, len(r.Text) > 0 || len(r.Decisions) > 0 && len(r.Others) > 0, "%v: neither text nor decision", r.Check)
		assert.NotContains(t, r.Others, r.Code, "%v", r.Check)
		assert.Subset(t, sectionsKnown, r.Text)
		assert.Subset(t, exists, r.Decisions)
		for _, c := range append(slices.Clone(r.Others), r.Code) {
			_, named := c.Row()
			assert.True(t, named, "%v: %v", r.Check, c)
		}
	}
}

// TestOpen: exactly what the specifications leave open is open in the tests.
func TestOpen(t *testing.T) {
	s := newSuite(t, small)
	find := func(key string) *suite.Test { _, one := find(t, s, key); return one }

	// A Request Identifier, and the Atomic Response that returns it.
	one := find("out/identifiers")
	requests := 0
	for i := range one.Expect {
		if e := &one.Expect[i]; e.Allowed != nil {
			requests++
			segment := slices.Clone(e.Hex)
			for at := range segment {
				segment[at] ^= 1
				assert.Equal(t, at >= 22 && at < 26, e.Permits(segment), "octet %d", at)
				segment[at] ^= 1
			}
			assert.False(t, e.Permits(segment[:len(segment)-1]))
			assert.False(t, e.Permits(append(segment, 0)))
		}
	}
	assert.Equal(t, 3, requests)
	for i := range one.Input {
		if in := &one.Input[i]; in.Port == suite.PortRx && len(in.Hex) == 30 {
			require.NotNil(t, in.Copy)
			assert.EqualValues(t, in.Hex, in.Copy.Replace(in.Hex, one.Expect[in.Copy.Expect].Hex), "no change for this project's design")
			other := slices.Clone(one.Expect[in.Copy.Expect].Hex)
			copy(other[22:], []byte{0xA1, 0xB2, 0xC3, 0xD4})
			assert.Equal(t, []byte{0xA1, 0xB2, 0xC3, 0xD4}, in.Copy.Replace(in.Hex, other)[18:22])
		}
	}
	// A deliberately wrong identifier remains wrong.
	one = find("error/atomic_response/identifier")
	assert.EqualValues(t, 0x8000_0000, one.Input[1].Copy.Xor)

	// A code defined by a decision has alternatives, and so has the event; the headers after it are free.
	one = find("error/send/opcode")
	assert.Equal(t, suite.Acceptable, one.Result)
	outcomes := one.Outcomes()
	require.Len(t, outcomes, 4)
	assert.Empty(t, outcomes[3].Expect, "the message is not delivered (I-89)")
	assert.Equal(t, []byte{0x02, 0x07}, []byte(outcomes[1].Expect[0].Hex[18:20]))
	assert.Equal(t, &suite.Event{Kind: "terminate_sent", EType: 2, Code: 7}, outcomes[1].Expect[1].Event)
	assert.Equal(t, &suite.Event{Kind: "terminate_sent", EType: 2, Code: 6}, one.Expect[1].Event, "as it was")
	assert.True(t, one.Expect[0].Permits(one.Expect[0].Hex[:22]))
	assert.False(t, one.Expect[0].Permits(one.Expect[0].Hex[:21]), "half a control word")

	for _, o := range outcomes[1:] {
		assert.NotNil(t, replay.Compare(one, o.Expect, o.Memory, false))
		assert.Nil(t, replay.ComparePermissive(one, o.Expect, o.Memory, false))
	}
	mixed := slices.Clone(outcomes[1].Expect)
	mixed[1] = outcomes[2].Expect[1]
	assert.NotNil(t, replay.ComparePermissive(one, mixed, one.Memory, false), "an event with another code than the Terminate")
	mixed = slices.Clone(one.Expect)
	mixed[0].Hex = slices.Clone(mixed[0].Hex)
	mixed[0].Hex[19] = 0x05
	assert.NotNil(t, replay.ComparePermissive(one, mixed, one.Memory, false), "a code that is not permitted")

	// A code defined by RFC 5041 has no alternative, and the header is required.
	one = find("error/rdma_write/stag/key")
	assert.Equal(t, suite.Error, one.Result)
	assert.Nil(t, one.Expect[0].Allowed)

	// For a Read Request, only R and what follows is free.
	one = find("error/read_request/bounds/behind")
	e := &one.Expect[0]
	without := slices.Clone(e.Hex[:42])
	without[20] &^= 0x20
	assert.True(t, e.Permits(e.Hex))
	assert.True(t, e.Permits(without))
	without[20] &^= 0x40
	assert.False(t, e.Permits(without), "without D")
	assert.False(t, e.Permits(e.Hex[:40]), "half a DDP header")

	// IRD: another outcome, in which the request is answered. An invalid Terminate: silence, or the code of the peer's
	// Terminate.
	one = find("limit/ird/read")
	require.Len(t, one.Alternatives, 1)
	assert.Equal(t, []string{"I-82"}, one.Alternatives[0].Decisions)
	assert.Len(t, one.Alternatives[0].Expect, small.IRD+1)
	one = find("error/terminate/msn/00000002")
	require.Len(t, one.Alternatives, 2)
	assert.Empty(t, one.Alternatives[0].Expect)
	assert.Equal(t, "terminate_received", one.Alternatives[1].Expect[0].Event.Kind)

	// Of two faults a design may report either, except that of RDMAP if DDP refuses the segment.
	codes := func(key string) (list []suite.Code) {
		if a := find(key).Expect[0].Allowed; a != nil {
			list = a.Codes
		}
		return list
	}
	assert.Equal(t, []suite.Code{{Layer: 1, EType: 1, Code: 2}}, codes("pair/rdma_write/stag/0"), "another key, another owner")
	assert.Empty(t, codes("segment/read_request/dv0"), "only the DDP version")
	for key, decision := range map[string]string{"in/immediate/stream0": "I-12", "error/atomic_response/identifier": "I-08", "error/send/msn/00000002": "I-37", "error/send/offset/gap": "I-84"} {
		assert.True(t, slices.ContainsFunc(find(key).Alternatives, func(a suite.Alternative) bool { return slices.Equal(a.Decisions, []string{decision}) }), key)
	}

	// A request inside an incomplete message may be refused, and one that would be delivered before it may wait for it.
	// Only the memory of an undelivered message is open.
	one = find("inside/send/read/never_ends")
	require.Len(t, one.Alternatives, 1)
	assert.Equal(t, []string{"I-77"}, one.Alternatives[0].Decisions)
	assert.True(t, one.Alternatives[0].Expect[0].IsTerminate())
	assert.Empty(t, one.Expect)
	one = find("inside/refused/send_in_write")
	require.Len(t, one.Alternatives, 2)
	assert.Equal(t, []string{"I-78"}, one.Alternatives[0].Decisions)
	assert.True(t, one.Alternatives[0].Expect[0].Completion.Recv, "it is delivered")
	assert.Equal(t, []string{"I-78"}, one.Alternatives[1].Decisions)
	assert.Empty(t, one.Alternatives[1].Expect, "it waits")
	one = find("inside/send/read")
	assert.Empty(t, one.Unspecified, "the Send is complete")
	one = find("order/missing_segment")
	require.Len(t, one.Unspecified, 1)
	assert.Subset(t, one.Decisions, []string{"I-77", "I-85"})
	other := slices.Clone(one.Memory)
	other[0].Hex = slices.Clone(other[0].Hex)
	other[0].Hex[2] ^= 1
	assert.NotNil(t, replay.Compare(one, one.Expect, other, false))
	assert.Nil(t, replay.ComparePermissive(one, one.Expect, other, false))
	assert.Nil(t, replay.ComparePermissive(one, one.Expect, nil, false), "no octet is placed")
	other[0].Address = one.Unspecified[0].Address - 1
	assert.NotNil(t, replay.ComparePermissive(one, one.Expect, other, false), "an octet before them")

	// Failed requests: any status but success for work, and any or no completion for receives.
	one = find("error/out/rdma_write/invalid")
	at := slices.IndexFunc(one.Expect, func(e suite.Expect) bool { return e.Completion != nil })
	is := slices.Clone(one.Expect)
	for status, fits := range map[string]bool{"flushed": true, "protection": true, "memory": true, "success": false} {
		c := *one.Expect[at].Completion
		c.Status = status
		is[at].Completion = &c
		assert.Equal(t, fits, replay.ComparePermissive(one, is, one.Memory, false) == nil, status)
	}
	assert.NotNil(t, replay.ComparePermissive(one, slices.Delete(is, at, at+1), one.Memory, false), "none at all")
	one = find("memory_error/send")
	reported := slices.IndexFunc(one.Expect, func(e suite.Expect) bool { return e.Completion != nil && e.Completion.Recv })
	unreported := slices.Delete(slices.Clone(one.Expect), reported, reported+1)
	assert.Nil(t, replay.ComparePermissive(one, unreported, one.Memory, false))
	assert.Nil(t, replay.ComparePermissive(one, append(slices.Clone(one.Expect), one.Expect[reported]), one.Memory, false))
	assert.NotNil(t, replay.Compare(one, unreported, one.Memory, false))
}
