package gen_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

func TestReadConfig(t *testing.T) {
	for _, tt := range []struct{ name, yaml, err string }{
		{"an empty file is the default", "", ""},
		{"fields override the default", "bus_bytes: 8\nstreams: 16384\nextensions: [draft00]", ""},
		{"bus width", "bus_bytes: 24", "config: bus_bytes is 24; allowed: 8, 16, 32, 64 or 128"},
		{"streams", "streams: 3", "config: streams is 3; allowed: a power of two from 2 to 16384"},
		{"no stream", "streams: 0", "config: streams is 0; allowed: a power of two from 2 to 16384"},
		{"negative", "stags: -16", "config: stags is -16; allowed: a power of two from 16 to 65536"},
		{"inside a page", "far_memory_bit: 11", "config: far_memory_bit is 11; allowed: 12 to 63, or 0 for none"},
		{"beyond an address", "far_memory_bit: 64", "config: far_memory_bit is 64; allowed: 12 to 63, or 0 for none"},
		{"far memory with commit", "far_memory_bit: 40\nextensions: [commit]", "config: far_memory_bit is 40; allowed: 0 with profile falcon and with the extension commit"},
		{"far memory with falcon", "profile: falcon\nfar_memory_bit: 40", "config: far_memory_bit is 40; allowed: 0 with profile falcon and with the extension commit"},
		{"too many", "atomic_depth: 8192", "config: atomic_depth is 8192; allowed: a power of two from 4 to 4096"},
		{"top", "top: nic", `config: top is "nic"; allowed: rnic`},
		{"profile", "profile: roce", `config: profile is "roce"; allowed: rdmap`},
		{"extension", "extensions: [flush]", `config: extensions is "flush"; allowed: draft00 and commit`},
		{"extensions", "extensions: [commit, draft00]", ""},
		{"order of Atomic Writes", "extensions: [commit]\natomic_write_order: host", ""},
		{"no such order", "atomic_write_order: big", `config: atomic_write_order is "big"; allowed: wire and host`},
		{"order without Atomic Writes", "atomic_write_order: host", "config: atomic_write_order is host; allowed: wire; host only with the extension commit"},
		{"extension twice", "extensions: [draft00, draft00]", `config: extensions is "draft00" twice; allowed: each once`},
		{"two mistakes", "bus_bytes: 1\nstreams: 1", "config: bus_bytes is 1; allowed: 8, 16, 32, 64 or 128\nconfig: streams is 1; allowed: a power of two from 2 to 16384"},
		{"unknown field", "bus_width: 64", "line 1: field bus_width not found"},
		{"not a number", "bus_bytes: wide", "line 1: cannot unmarshal"},
		{"not YAML", "a: b: c", "mapping values are not allowed"},
		{"not a mapping", "- 1", "cannot unmarshal"},
		{"two documents", "bus_bytes: 8\n---\nbus_bytes: 16", "config: more than one YAML document; allowed: one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := gen.ReadConfig(strings.NewReader(tt.yaml))
			if tt.err == "" {
				require.NoError(t, err)
				require.NoError(t, c.Check())
				return
			}
			assert.ErrorContains(t, err, tt.err)
		})
	}
}
