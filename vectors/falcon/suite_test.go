package falcon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rnicgen/rnicgen/docs"
	"github.com/rnicgen/rnicgen/gen/outdir"
	cases "github.com/rnicgen/rnicgen/vectors/cases/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	rdmap "github.com/rnicgen/rnicgen/vectors/suite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// standard is the suite of the default configuration.
var standard = sync.OnceValues(func() (*suite.Suite, error) { return New(suite.DefaultConfig(), 1) })

// TestCounts: every row of the table of operations and every rule has tests, half of all tests have an error, every flag is
// explained and used, and every comment and every citation is there.
func TestCounts(t *testing.T) {
	s, err := standard()
	require.NoError(t, err)
	sum := Summarize(s)
	assert.GreaterOrEqual(t, sum.Tests, 800)
	assert.GreaterOrEqual(t, sum.ErrorShare(), 50)
	assert.Len(t, sum.Operations, 46)
	for _, o := range sum.Operations {
		assert.GreaterOrEqual(t, o.Tests, 15, o.Name)
		assert.GreaterOrEqual(t, o.Tests-o.Errors, 10, "%s, without errors", o.Name)
	}
	assert.Len(t, sum.Rules, 36)
	for _, r := range sum.Rules {
		assert.GreaterOrEqual(t, r.Tests, 4, r.Name)
	}
	assert.Len(t, sum.Flags, len(s.Notes))
	known, err := catalogue()
	require.NoError(t, err)
	for _, n := range s.Notes {
		for _, id := range n.Requirements {
			assert.Contains(t, known, id)
		}
	}
	comments := map[string]bool{}
	s.Each(func(_ *suite.Group, x *suite.Test) {
		assert.NotEmpty(t, x.Flags, x.TcID)
		assert.Greater(t, len(x.Comment), 20, x.TcID)
		assert.NotEmpty(t, x.Requirements, "tcId %d: %s", x.TcID, x.Comment)
		comments[x.Comment] = true
	})
	assert.Greater(t, len(comments), sum.Tests/3)
}

// TestExample: the test in the documentation is one of the file, shortened.
func TestExample(t *testing.T) {
	s, err := standard()
	require.NoError(t, err)
	_, text, _ := strings.Cut(docs.FalconVectors, "```json\n")
	text, _, _ = strings.Cut(text, "```")
	var shown suite.Test
	require.NoError(t, json.Unmarshal([]byte(text), &shown))
	found := false
	s.Each(func(_ *suite.Group, x *suite.Test) {
		if x.TcID == shown.TcID {
			found = true
			assert.Equal(t, shown.Comment, x.Comment)
			assert.Contains(t, x.Steps, shown.Steps[0])
			assert.Equal(t, shown.Decisions, x.Decisions)
			assert.Subset(t, x.Sections, shown.Sections)
		}
	})
	assert.True(t, found)
}

// TestDecisions: a test depends on every decision of the profile.
func TestDecisions(t *testing.T) {
	s, err := standard()
	require.NoError(t, err)
	shown := map[string]bool{}
	s.Each(func(_ *suite.Group, x *suite.Test) {
		for _, id := range x.Decisions {
			shown[id] = true
		}
	})
	for _, id := range docs.DecisionsOf("RDMA over Falcon") {
		assert.True(t, shown[id], id)
	}
}

// TestModes: each kind of QP of the table of RoF 6.4 has tests with and without errors.
func TestModes(t *testing.T) {
	s, err := standard()
	require.NoError(t, err)
	count := map[string][2]int{}
	s.Each(func(g *suite.Group, x *suite.Test) {
		q := g.QPs[0]
		n := count[strings.Join([]string{q.Type, q.Ordering, q.Errors}, " ")]
		n[map[string]int{rdmap.Error: 1}[x.Result]]++
		count[strings.Join([]string{q.Type, q.Ordering, q.Errors}, " ")] = n
	})
	assert.Len(t, count, 15)
	for name, n := range count {
		assert.Greater(t, n[0], 10, "%s, valid", name)
		assert.Greater(t, n[1], 15, "%s, error", name)
	}
}

// TestRoundTrip: a directory that is read again has the same suite, and passes its check. Seed and configuration determine it.
func TestRoundTrip(t *testing.T) {
	c := suite.DefaultConfig()
	want := some(t, 9)
	list, err := files(want)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "v")
	require.NoError(t, outdir.Write(dir, Manifest(c, 1), list))
	assert.True(t, Is(dir))
	s, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, suite.Show(want), suite.Show(s))
	sum := Summarize(s)
	r, err := Check(dir, CheckOptions{})
	require.NoError(t, err)
	assert.True(t, r.OK())
	assert.Equal(t, sum.Tests, r.Passed)

	r, err = Check(dir, CheckOptions{TcIDs: []int{want.Groups[0].Tests[0].TcID}})
	require.NoError(t, err)
	assert.Equal(t, 1, r.Passed)
	_, err = Check(dir, CheckOptions{TcIDs: []int{7}})
	assert.ErrorContains(t, err, "tcId is 7; allowed: the tcId of a test in the file")

	require.NoError(t, os.WriteFile(filepath.Join(dir, suiteFile), []byte("{}"), 0o644))
	_, err = Check(dir, CheckOptions{})
	assert.ErrorContains(t, err, "differs from its sha256")
}

// TestSeed: memory and random choices follow the seed, and nothing else changes them.
func TestSeed(t *testing.T) {
	for _, one := range cases.All(suite.DefaultConfig())[:200] {
		text := func(seed uint64) string {
			g, x := one.Run(suite.DefaultConfig(), seed)
			return suite.Show(g) + suite.Show(x)
		}
		assert.Equal(t, text(5), text(5), one.Key)
		assert.NotEqual(t, text(5), text(6), one.Key)
	}
}

// some is a suite of every n-th test.
func some(t *testing.T, n int) *suite.Suite {
	var list []cases.Case
	for i, one := range cases.All(suite.DefaultConfig()) {
		if i%n == 0 {
			list = append(list, one)
		}
	}
	s, err := suiteOf(suite.DefaultConfig(), 1, list, nil)
	require.NoError(t, err)
	return s
}

// checkOf writes a suite as a directory and checks it.
func checkOf(t *testing.T, s *suite.Suite) (*Report, error) {
	files, err := files(s)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "v")
	require.NoError(t, outdir.Write(dir, Manifest(s.Config.Config, 1), files))
	return Check(dir, CheckOptions{})
}

// TestDamage: a changed outcome of any kind is noticed, and shown.
func TestDamage(t *testing.T) {
	damaged := map[string]bool{}
	for kind, damage := range damages {
		s := some(t, 61)
		done := 0
		s.Each(func(_ *suite.Group, x *suite.Test) {
			if done == 0 && damage(x) {
				done = x.TcID
			}
		})
		require.NotZero(t, done, kind)
		r, err := checkOf(t, s)
		require.NoError(t, err, kind)
		require.Equal(t, 1, r.Failed, kind)
		assert.Equal(t, done, r.Failures[0].TcID, kind)
		assert.NotEqual(t, r.Failures[0].Expected, r.Failures[0].Actual, kind)
		damaged[kind] = true
		var text strings.Builder
		require.NoError(t, r.Write(&text))
		assert.Contains(t, text.String(), "FAIL: ")
		assert.Contains(t, text.String(), "reproduce it with: rnicgen check-vectors --engine model --tcid ")
	}
	assert.Len(t, damaged, len(damages))
}

// first applies a change to the first outcome for which it reports that it has changed something.
func first(x *suite.Test, change func(e *suite.Expect) bool) bool {
	for i := range x.Steps {
		for j := range x.Steps[i].Expect {
			if change(&x.Steps[i].Expect[j]) {
				return true
			}
		}
	}
	return false
}

var damages = map[string]func(x *suite.Test) bool{
	"rsn of a reply": func(x *suite.Test) bool {
		return first(x, func(e *suite.Expect) bool { return e.Reply != nil && func() bool { e.Reply.RSN++; return true }() })
	},
	"a reply missing": func(x *suite.Test) bool {
		for i := range x.Steps {
			if s := &x.Steps[i]; len(s.Expect) == 1 && s.Expect[0].Reply != nil {
				s.Expect = []suite.Expect{}
				return true
			}
		}
		return false
	},
	"length of a completion": func(x *suite.Test) bool {
		return first(x, func(e *suite.Expect) bool {
			if e.Completion == nil || e.Completion.Length == nil {
				return false
			}
			*e.Completion.Length++
			return true
		})
	},
	"immediate data": func(x *suite.Test) bool {
		return first(x, func(e *suite.Expect) bool {
			if e.Completion == nil || e.Completion.Immediate == nil {
				return false
			}
			*e.Completion.Immediate ^= 1
			return true
		})
	},
	"an octet of memory": func(x *suite.Test) bool {
		if len(x.Memory) == 0 {
			return false
		}
		x.Memory[0].Hex[0] ^= 1
		return true
	},
	"the digest": func(x *suite.Test) bool {
		x.Digest = strings.Repeat("0", 64)
		return true
	},
	"a QP in Error": func(x *suite.Test) bool { x.InError = append(x.InError, 0xA0FF); return true },
	"an outcome too many": func(x *suite.Test) bool {
		x.Steps[0].Expect = append(x.Steps[0].Expect, suite.Expect{Event: &suite.Event{QP: 0xA001, Cause: "local"}})
		x.Result = rdmap.Error
		return true
	},
	"an octet of an input": func(x *suite.Test) bool {
		for i := range x.Steps {
			if r := x.Steps[i].Request; r != nil {
				r.Hex[len(r.Hex)-1] ^= 1
				r.Hex[len(r.Hex)-5] ^= 1
				return true
			}
		}
		return false
	},
}
