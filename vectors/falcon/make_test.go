package falcon

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	cases "github.com/rnicgen/rnicgen/vectors/cases/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "append new cases to ids.txt and testdata/meanings.txt")

// firstID is above the tcIds of the profile rdmap, so that a tcId denotes one test of the project.
const firstID = 100_001

// TestIDs: every case has a tcId, and every tcId a case.
func TestIDs(t *testing.T) {
	ids, err := IDs()
	require.NoError(t, err)
	text, next := idsText, firstID
	if len(ids) > 0 {
		next = 1 + slices.Max(slices.Collect(maps.Values(ids)))
	}
	for _, one := range cases.All(suite.DefaultConfig()) {
		if _, known := ids[one.Key]; !known {
			text += fmt.Sprintf("%d %s\n", next, one.Key)
			next++
		}
		delete(ids, one.Key)
	}
	assert.Empty(t, ids, "these cases are gone; a tcId is permanent")
	if *update {
		require.NoError(t, os.WriteFile("ids.txt", []byte(text), 0o644))
		idsText = text
		return
	}
	assert.Equal(t, text, idsText, "new cases: run go test ./vectors/falcon -run 'TestIDs|TestMeanings' -update")
}

// TestCases: the golden model agrees with every case, in both bit orders, at the limits of the configuration and with another
// seed.
func TestCases(t *testing.T) {
	for seed, change := range []func(c *suite.Config){
		func(c *suite.Config) { c.BitOrder = "mirrored" },
		func(c *suite.Config) { c.MTU, c.IRRQ, c.Window, c.BufferOctets = 512, 16, 16, 16 },
		func(c *suite.Config) { c.Window, c.BufferOctets = 1024, 4096 },
	} {
		c := suite.DefaultConfig()
		change(&c)
		failed := 0
		for _, one := range cases.All(c) {
			g, x := one.Run(c, uint64(seed))
			if err := confirm(c, &g, &x, nil); !assert.NoError(t, err, one.Key) {
				if failed++; failed > 8 {
					t.FailNow()
				}
			}
		}
	}
}
