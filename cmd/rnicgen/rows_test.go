package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Opcodes and Terminate codes are named in the tables, in the model's executors, and in the hand-written vector cases.
// All other code uses the class, length or Terminate code of a row.
var namesRows = map[string]string{
	"model/rdmap/spec":     "the tables",
	"model/wire/opcode.go": "the names of the tables for users of the codec",
	"model/rdmap":          "the executors",
	"vectors/cases":        "the cases",

	"vectors/meaning/implied.go": "requirements by message: a table of its own, with Immediate Data apart from Immediate Data with SE",
}

const allowedFiles = 6 // that are neither tables, executors nor cases

// The engine framework knows no protocol: neither by import, which TestImportRules checks, nor by name.
func TestEngineNamesNoProtocol(t *testing.T) {
	protocol := regexp.MustCompile(`(?i)\b(terminates?|rdmap|ddp|iwarp|falcon|queue [0-3])\b`)
	seen := 0
	require.NoError(t, filepath.WalkDir("../../gen/engine", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		assert.Empty(t, protocol.FindAllString(string(text), -1), "%s names a protocol; allowed: only in the profile, gen/rdmap", path)
		return nil
	}))
	assert.Greater(t, seen, 20)
}

var (
	opcodeConstant  = regexp.MustCompile(`\b(wire|spec)\.Op[A-Z]\w*`)
	terminateNumber = regexp.MustCompile(`\b(EType|Code): *(0x)?[0-9]|\bTerminateCode\{[\w.]+, *(0x)?[0-9]|\bhdl\.Hex\(8, 0x0[1-9]\)`)
)

func TestOnlyTablesNameOpcodesAndCodes(t *testing.T) {
	used := map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		found := append(opcodeConstant.FindAllString(string(text), -1), terminateNumber.FindAllString(string(text), -1)...)
		rule := ""
		for r := range namesRows {
			if covered(name, []string{r}) && len(r) > len(rule) {
				rule = r
			}
		}
		if len(found) == 0 {
			return nil
		}
		used[rule] = true
		assert.NotEmpty(t, rule, "%s names %v; allowed: a class of spec, a property of a row, a code of spec", name, found)
		return nil
	}))
	files := 0
	for r, why := range namesRows {
		assert.True(t, used[r], "%s, %s, names no opcode and no code", r, why)
		if strings.HasSuffix(r, ".go") {
			files++
		}
	}
	assert.LessOrEqual(t, files, allowedFiles)
}
