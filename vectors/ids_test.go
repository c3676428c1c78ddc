package vectors

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	cases "github.com/rnicgen/rnicgen/vectors/cases/rdmap"
)

var update = flag.Bool("update", false, "append new cases to ids.txt and testdata/meanings.txt")

// meanings records the meaning of each tcId: tcId, digest of the stimulus, key.
const meanings = "testdata/meanings.txt"

// configured is a case and a configuration in which its stimulus is recorded.
type configured struct {
	cases.Case
	config gen.Config
}

// everyCase returns the cases of all configurations, with and without an extension, in the order of their tcIds.
func everyCase() (all []configured) {
	seen := map[string]bool{}
	for _, extensions := range [][]string{{}, {"draft00"}, {"commit"}} {
		c := gen.Default()
		c.Extensions = extensions
		recorded := c
		if c.Draft00() { // its layouts are those without
			recorded.Extensions = []string{}
		}
		for _, one := range cases.All(c) {
			if !seen[one.Key] {
				seen[one.Key] = true
				all = append(all, configured{one, recorded})
			}
		}
	}
	return all
}

// TestIDs: every case has a tcId, and every tcId a case.
func TestIDs(t *testing.T) {
	ids, err := readIDs()
	require.NoError(t, err)
	retired, err := readRetired()
	require.NoError(t, err)
	text := idsText
	next := 1 + max(slices.Max(slices.Collect(maps.Values(ids))), slices.Max(slices.Collect(maps.Keys(retired))))
	for _, one := range everyCase() {
		if _, known := ids[one.Key]; !known {
			text += fmt.Sprintf("%d %s\n", next, one.Key)
			next++
		}
		delete(ids, one.Key)
	}
	assert.Empty(t, ids, "these cases are gone; a tcId is permanent unless retired.txt retires it with a reason")
	if *update {
		require.NoError(t, os.WriteFile("ids.txt", []byte(text), 0o644))
		idsText = text
		return
	}
	assert.Equal(t, text, idsText, "new cases: run go test ./vectors -run 'TestIDs|TestMeanings' -update")
}

// numbered lists values that were JSON numbers when the digests were first recorded, and are strings now.
var numbered = regexp.MustCompile(`"(id|length)":"[0-9a-f]{16}"`)

func asNumber(field []byte) []byte {
	at := len(field) - 18 // the string with its quotes
	v, _ := strconv.ParseUint(string(field[at+1:at+17]), 16, 64)
	return strconv.AppendUint(slices.Clone(field[:at]), v, 10)
}

// TestMeanings: a tcId still has the key and stimulus with which it was first recorded. The digest covers the inputs
// and the initial state in a fixed layout, not the expected outcomes.
func TestMeanings(t *testing.T) {
	golden, err := os.ReadFile(meanings)
	require.NoError(t, err)
	ids, err := readIDs()
	require.NoError(t, err)
	now := map[int]string{}
	same := map[string]string{}
	type place struct {
		world  cases.World
		config string
	}
	layouts := map[place]*cases.Layout{}
	for _, one := range everyCase() {
		world, c := one.World, one.config
		if world == "failing" {
			world = "" // the areas do not move
		}
		at := place{world, fmt.Sprint(c)}
		if layouts[at] == nil {
			layouts[at] = cases.NewLayout(c, 0, world)
		}
		text, err := json.Marshal(write(c, 1, one.Case, layouts[at]))
		require.NoError(t, err)
		text = numbered.ReplaceAllFunc(text, asNumber)
		text = fmt.Append(text, one.Ordered, one.World == "failing")
		if world != "" {
			text = append(text, world...)
		}
		sum := sha256.Sum256(text)
		digest := hex.EncodeToString(sum[:8])
		assert.Empty(t, same[digest], "%s has the same stimulus", one.Key)
		same[digest], now[ids[one.Key]] = one.Key, digest+" "+one.Key
	}
	text := string(golden)
	for line := range strings.Lines(text) {
		var id int
		number, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, err := fmt.Sscan(number, &id)
		require.NoError(t, err, line)
		assert.Equal(t, rest, now[id], "tcId %d no longer means what it meant; a changed test needs a new key", id)
		delete(now, id)
	}
	for _, id := range slices.Sorted(maps.Keys(now)) {
		text += fmt.Sprintf("%d %s\n", id, now[id])
	}
	if *update {
		require.NoError(t, os.WriteFile(meanings, []byte(text), 0o644))
		return
	}
	assert.Equal(t, text, string(golden), "new cases: run go test ./vectors -run 'TestIDs|TestMeanings' -update")
}
