package tool

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fake makes a shell script a program.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tool")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
	return path
}

// The error distinguishes the ways in which a tool can fail.
func TestFailingTools(t *testing.T) {
	for name, tt := range map[string]struct{ script, says string }{
		"killed":  {"kill -KILL $$", "tool was ended by signal 9 (killed) before it was done; run the command again, with more memory if the system ran out of it"},
		"crashed": {"echo half >&2; kill -SEGV $$", "tool was ended by signal 11 (segmentation fault) before it was done; run the command again, with more memory if the system ran out of it"},
		"silent":  {"exit 3", "tool failed (exit status 3) and said nothing; see whether it works by itself, and install it again if not"},
		"telling": {"echo 'no such thing' >&2; exit 1", "tool -c x: exit status 1\nno such thing"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Command(t.Context(), t.TempDir(), fake(t, tt.script), "-c", "x")
			assert.EqualError(t, err, tt.says)
		})
	}
}

// A hanging tool ends with the context, and the error is the context's cause.
func TestHangingTool(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	begun := time.Now()
	time.AfterFunc(50*time.Millisecond, func() { cancel(assert.AnError) })
	_, err := Command(ctx, "", fake(t, "trap '' TERM INT; sleep 60; sleep 60"))
	assert.Equal(t, assert.AnError, err)
	assert.Less(t, time.Since(begun), 10*time.Second)
}
