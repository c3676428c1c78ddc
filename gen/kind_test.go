package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen"
)

func TestKind(t *testing.T) {
	for module, kind := range map[string]string{
		"rnic":                          "rnic",
		"atomic_unit_64_512_64_retire":  "atomic_unit",
		"atomic_unit_8_4_4_draft00":     "atomic_unit",
		"stag_table_1024":               "stag_table",
		"atomic_failure_64_fifo_512":    "fifo",
		"item_64_8_bypass_1024":         "bypass",
		"completion_64_merge":           "merge",
		"requester_64_16_8_1024":        "requester",
		"csr_64_64_1024_8_8_16_16_1024": "csr",
		"request_segments_64_16_8_1024": "request_segments",
	} {
		assert.Equal(t, kind, gen.Kind(module))
	}
}
