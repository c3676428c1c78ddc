package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain makes the test binary act as the program for tests that send signals.
func TestMain(m *testing.M) {
	if os.Getenv("RNICGEN_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is a run of the program in its own process.
type program struct {
	*exec.Cmd
	out, errs bytes.Buffer
	temporary string // TMPDIR
	cache     string // RNICGEN_CACHE
}

// start runs the program with an empty cache. PATH starts with the fake tools, shell scripts by name.
func start(t *testing.T, tools map[string]string, args ...string) *program {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	p := &program{Cmd: exec.Command(self, args...), temporary: t.TempDir(), cache: t.TempDir()}
	p.Env = append(os.Environ(), "RNICGEN_MAIN=1", "TMPDIR="+p.temporary, "RNICGEN_CACHE="+p.cache,
		"PATH="+fakes(t, tools)+":"+os.Getenv("PATH"))
	p.Stdout, p.Stderr = &p.out, &p.errs
	require.NoError(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// fakes creates a directory of tools.
func fakes(t *testing.T, tools map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, script := range tools {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
	}
	return dir
}

// real is the part of a fake tool that forwards version and flag queries to the real tool.
func real(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err)
	return `case "$*" in *--version*|-V|--getenv*|--cflags|*-dM*) exec ` + path + ` "$@";; esac` + "\n"
}

// end waits for the exit code.
func (p *program) end(t *testing.T) int {
	t.Helper()
	watch := time.AfterFunc(20*time.Second, func() { _ = p.Process.Kill() })
	defer watch.Stop()
	err := p.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	require.NoError(t, err)
	return 0
}

// left returns the names in a directory, sorted.
func left(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// marked reads a report that must be marked as interrupted.
func marked(t *testing.T, path string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var report map[string]any
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Equal(t, true, report["interrupted"])
	return report
}
