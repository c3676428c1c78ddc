package gen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// The ALU computes for all inputs what the specification's pseudocode does, which stands in testdata/spec, written by hand.
// The proof fails for each of the broken twins.
func TestAtomicALUIsProven(t *testing.T) {
	d, err := hdl.Compile(gen.AtomicALU(false))
	require.NoError(t, err)
	alu := d.Files()[0].Text
	for _, tt := range []struct{ name, old, broken, says string }{
		{"as generated", "", "", ""},
		{"a carry runs into the next field", "(req_data & keep)", "req_data", "proof did fail"},
		{"a field loses its top bit", "^ ((req_original ^ req_data) & req_mask)", "", "proof did fail"},
		{"bits that do not count are compared", "^ req_original) & req_compare_mask", "^ req_original) | req_compare_mask", "proof did fail"},
		{"a swap keeps no bits", "(req_original & keep) | (req_data & req_mask)", "req_data & req_mask", "proof did fail"},
		{"an unknown opcode adds", "(req_opcode == FETCH_ADD) ", "(req_opcode != CMP_SWAP) ", "proof did fail"},
		{"the answer is the new word", "resp_original_q <= req_original", "resp_original_q <= next", "proof did fail"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Contains(t, alu, tt.old, "the printed text has changed: name the place anew")
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "alu.v"), []byte(strings.Replace(alu, tt.old, tt.broken, 1)), 0o644))
			spec, err := filepath.Abs("testdata/spec/reference")
			require.NoError(t, err)
			out, err := hdltest.Run(dir, "yosys", "-q", "-p", "read_verilog -formal "+filepath.Join(spec, "atomic_operation.v")+" "+
				filepath.Join(spec, "atomic_alu_miter.v")+" alu.v; hierarchy -check -top atomic_alu_miter; proc; flatten; opt; "+
				"sat -verify -tempinduct -prove-asserts -seq 1 atomic_alu_miter")
			if tt.says == "" {
				require.NoError(t, err, out)
				return
			}
			require.Error(t, err)
			assert.Contains(t, err.Error()+out, tt.says)
		})
	}
}
