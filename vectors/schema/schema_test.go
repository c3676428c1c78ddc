package schema

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

func TestNoSuite(t *testing.T) {
	for _, text := range []string{"", "{", "{}", "[]", `"x"`, "null", "\x00", `{"schema": "rnic_vectors_v1.schema.json"}`} {
		assert.Error(t, Validate([]byte(text)), "%q", text)
	}
}

// TestNames: the schema bears the name that files give, and lists the errors in the order of their codes.
func TestNames(t *testing.T) {
	var s struct {
		ID   string `json:"$id"`
		Defs struct {
			Record struct {
				Properties struct {
					Error struct{ Enum []string }
				}
			}
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(Text, &s))
	assert.Equal(t, suite.Schema, s.ID)
	var names []string
	for _, row := range wire.Errors {
		names = append(names, row.Name)
	}
	assert.Equal(t, names, s.Defs.Record.Properties.Error.Enum)
}
