package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxLines is the length limit of a non-test Go file under cosim.
const maxLines = 300

func TestFilesAreShort(t *testing.T) {
	files := 0
	require.NoError(t, filepath.WalkDir("../../cosim", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		n := bytes.Count(text, []byte("\n"))
		assert.LessOrEqual(t, n, maxLines, "%s has %d lines; split it", path, n)
		return err
	}))
	assert.Greater(t, files, 100)
}
