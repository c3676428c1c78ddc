package falcon

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	cases "github.com/rnicgen/rnicgen/vectors/cases/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// meanings records the meaning of each tcId: tcId and digest of the stimulus.
const meanings = "testdata/meanings.txt"

// TestMeanings: a tcId still has the stimulus with which it was first recorded. The digest covers the set-up and the inputs, not the
// outcomes.
func TestMeanings(t *testing.T) {
	golden, err := os.ReadFile(meanings)
	if !*update {
		require.NoError(t, err)
	}
	ids, err := IDs()
	require.NoError(t, err)
	recorded := map[string]bool{}
	for line := range strings.Lines(string(golden)) {
		id, _, _ := strings.Cut(line, " ")
		recorded[id] = true
	}
	text, now := string(golden), map[string]bool{}
	for _, one := range cases.All(suite.DefaultConfig()) {
		id := fmt.Sprint(ids[one.Key])
		line := id + " " + digest(t, one) + "\n"
		if !recorded[id] {
			text += line
		}
		now[line] = true
	}
	for line := range strings.Lines(string(golden)) {
		assert.True(t, now[line], "tcId %s no longer means what it meant; a changed test needs a new key", line)
	}
	if *update {
		require.NoError(t, os.WriteFile(meanings, []byte(text), 0o644))
		return
	}
	assert.Equal(t, text, string(golden), "new cases: run go test ./vectors/falcon -run 'TestIDs|TestMeanings' -update")
}

func digest(t *testing.T, one cases.Case) string {
	g, x := one.Run(suite.DefaultConfig(), 1)
	for i := range x.Steps {
		x.Steps[i].Breaks, x.Steps[i].Expect = "", nil
	}
	text, err := json.Marshal([]any{g, x.Steps})
	require.NoError(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(text))[:16]
}
