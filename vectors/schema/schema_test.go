package schema

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/vectors/suite"
)

func TestNoSuite(t *testing.T) {
	for _, text := range []string{"", "{", "{}", "[]", `"x"`, "null", "\x00", `{"schema": "rnic_vectors_v1.schema.json"}`} {
		assert.Error(t, Validate([]byte(text)), "%q", text)
	}
}

// TestName: the schema has the name used in files.
func TestName(t *testing.T) {
	var s struct {
		ID string `json:"$id"`
	}
	require.NoError(t, json.Unmarshal(Text, &s))
	assert.Equal(t, suite.Schema, s.ID)
}
