package tool

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDifferentInputsHaveDifferentHashes(t *testing.T) {
	base := Hash("a", "bc")
	assert.NotEqual(t, base, Hash("ab", "c"))
	assert.NotEqual(t, base, Hash("a", "bc", ""))
	assert.Equal(t, base, Hash("a", "bc"))
}

// cacheFor gives a test its own cache and captures the log.
func cacheFor(t *testing.T) (ctx context.Context, cache string, log *bytes.Buffer) {
	t.Helper()
	cache = filepath.Join(t.TempDir(), "cache")
	t.Setenv(variable, cache)
	log = &bytes.Buffer{}
	return hclog.WithContext(t.Context(), hclog.New(&hclog.LoggerOptions{Output: log, DisableTime: true})), cache, log
}

// writes returns a build that writes two files.
func writes(count *int) func(string) error {
	return func(dir string) error {
		*count++
		if err := os.WriteFile(filepath.Join(dir, "dut.so"), []byte("library"), 0o644); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "unit.cpp"), []byte("text"), 0o644)
	}
}

// forget drops the record of hashed manifests, as in a new process.
func forget() { hashed.manifests = nil }

// Any damage to an entry is detected before use; the entry is rebuilt, the damage is logged, and no other files remain.
func TestDamagedEntryIsRebuilt(t *testing.T) {
	library := func(dir string) string { return filepath.Join(dir, "dut.so") }
	for name, damage := range map[string]struct {
		do     func(dir string) error
		says   string
		loaded bool // detected even by a process that has already checked the entry
	}{
		"truncated":     {func(dir string) error { return os.Truncate(library(dir), 3) }, "dut.so has 3 octets, not 7", true},
		"empty":         {func(dir string) error { return os.Truncate(library(dir), 0) }, "dut.so has 0 octets, not 7", true},
		"too long":      {func(dir string) error { return os.WriteFile(library(dir), []byte("library of more"), 0o644) }, "dut.so has 15 octets, not 7", true},
		"one bit":       {func(dir string) error { return os.WriteFile(library(dir), []byte("librarx"), 0o644) }, "dut.so differs from its sha256", false},
		"missing":       {func(dir string) error { return os.Remove(library(dir)) }, "dut.so: no such file or directory", true},
		"a directory":   {func(dir string) error { return errors.Join(os.Remove(library(dir)), os.Mkdir(library(dir), 0o755)) }, "dut.so has ", true},
		"no manifest":   {func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) }, "manifest.json: no such file", true},
		"half manifest": {func(dir string) error { return os.Truncate(filepath.Join(dir, manifestName), 30) }, "manifest.json is damaged", true},
		"no entry":      {func(dir string) error { return os.WriteFile(filepath.Join(dir, manifestName), []byte("{}"), 0o644) }, "manifest.json names no entry or no files", true},
		"another entry": {func(dir string) error { return another(dir) }, "manifest.json belongs to entry other", true},
		"a file": {func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("junk"), 0o644))
		}, "is a file", true},
		"all files":    {func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755)) }, "manifest.json: no such file", true},
		"other source": {func(dir string) error { return os.WriteFile(filepath.Join(dir, "unit.cpp"), []byte("tex2"), 0o644) }, "unit.cpp differs from its sha256", false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cache, log := cacheFor(t)
			builds := 0
			dir, err := Cached(ctx, "entry", writes(&builds))
			require.NoError(t, err)
			assert.Equal(t, filepath.Join(cache, "entry"), dir)
			require.NoError(t, damage.do(dir))
			if !damage.loaded {
				forget()
			}
			for range 2 {
				_, err = Cached(ctx, "entry", writes(&builds))
				require.NoError(t, err)
			}
			assert.Equal(t, 2, builds, "rebuilt exactly once")
			assert.Contains(t, log.String(), damage.says)
			assert.Equal(t, 1, strings.Count(log.String(), "\n"))
			forget()
			require.NoError(t, check(dir))
			assert.Equal(t, []string{"entry"}, names(t, cache))
		})
	}
}

// another replaces an entry by another.
func another(dir string) error {
	_, err := Cached(context.Background(), "other", writes(new(int)))
	return errors.Join(err, os.RemoveAll(dir), os.Rename(filepath.Join(filepath.Dir(dir), "other"), dir))
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// A process that has the damaged library open keeps that file unchanged: the rebuild replaces the file.
func TestRebuildKeepsLoadedLibrary(t *testing.T) {
	ctx, _, _ := cacheFor(t)
	dir, err := Cached(ctx, "entry", writes(new(int)))
	require.NoError(t, err)
	path := filepath.Join(dir, "dut.so")
	require.NoError(t, os.WriteFile(path, []byte("librarx"), 0o644))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	forget()
	_, err = Cached(ctx, "entry", writes(new(int)))
	require.NoError(t, err)
	text := make([]byte, 7)
	_, err = f.ReadAt(text, 0)
	require.NoError(t, err)
	assert.Equal(t, "librarx", string(text))
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "library", string(have))
}

// Of two concurrent rebuilds of an entry, one builds and the other waits, and the entry is never absent.
func TestConcurrentRebuilds(t *testing.T) {
	ctx, cache, _ := cacheFor(t)
	dir, err := Cached(ctx, "entry", writes(new(int)))
	require.NoError(t, err)
	for range 20 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "dut.so"), []byte("librarx"), 0o644))
		forget()
		begun, proceed, errs := make(chan bool), make(chan bool), make(chan error)
		rebuild := func() {
			_, err := Cached(ctx, "entry", func(work string) error {
				begun <- true
				<-proceed
				return writes(new(int))(work)
			})
			errs <- err
		}
		go rebuild()
		<-begun
		go rebuild()
		select {
		case <-begun:
			t.Fatal("both build the entry")
		case <-time.After(20 * time.Millisecond):
		}
		close(proceed)
		for left := 2; left > 0; {
			select {
			case err := <-errs:
				require.NoError(t, err)
				left--
			case <-begun:
				t.Fatal("the second build did not use the first one's entry")
			default:
				_, err := os.Stat(filepath.Join(dir, "dut.so"))
				require.NoError(t, err)
			}
		}
		require.NoError(t, check(dir))
		require.Equal(t, []string{"entry"}, names(t, cache))
	}
}

// A caller that waits for a failing build then builds itself; a caller whose context ends stops waiting.
func TestWaiting(t *testing.T) {
	ctx, cache, _ := cacheFor(t)
	begun, proceed, errs := make(chan bool), make(chan bool), make(chan error)
	fails := errors.New("no such module")
	go func() {
		_, err := Cached(ctx, "entry", func(string) error {
			close(begun)
			<-proceed
			return fails
		})
		errs <- err
	}()
	<-begun
	impatient, leave := context.WithCancel(ctx)
	builds := 0
	go func() {
		_, err := Cached(impatient, "entry", writes(&builds))
		errs <- err
	}()
	leave()
	require.ErrorIs(t, <-errs, context.Canceled)
	go func() {
		_, err := Cached(ctx, "entry", writes(&builds))
		errs <- err
	}()
	close(proceed)
	assert.ElementsMatch(t, []error{fails, nil}, []error{<-errs, <-errs})
	assert.Equal(t, 1, builds)
	assert.Equal(t, []string{"entry"}, names(t, cache))
}

// The next build sweeps the work directory of a killed build, but not that of a running process.
func TestSweep(t *testing.T) {
	if os.Getenv("BUILD_AND_HANG") != "" {
		_, err := Cached(t.Context(), "hangs", func(dir string) error {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "half"), nil, 0o644))
			time.Sleep(time.Minute)
			return nil
		})
		require.NoError(t, err)
	}
	ctx, cache, _ := cacheFor(t)
	old := func(name string, age time.Duration) {
		path := filepath.Join(cache, name)
		require.NoError(t, os.MkdirAll(path, 0o755))
		at := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(path, at, at))
	}
	old(working+"dead", 0)
	old(earlier+"perhaps", patience/2)
	old(earlier+"dead", 2*patience)
	self, err := os.Executable()
	require.NoError(t, err)
	child := exec.Command(self, "-test.run=^TestSweep$")
	child.Env = append(os.Environ(), "BUILD_AND_HANG=1")
	require.NoError(t, child.Start())
	defer func() { _ = child.Process.Kill() }()
	half := func() bool {
		found, _ := filepath.Glob(filepath.Join(cache, working+"*", "half"))
		return len(found) > 0
	}
	require.Eventually(t, half, 10*time.Second, time.Millisecond)
	_, err = Cached(ctx, "one", writes(new(int)))
	require.NoError(t, err)
	assert.True(t, half(), "the process is running")
	assert.Len(t, names(t, cache), 3, "the entry, a possibly stale directory, and one in use")
	require.NoError(t, child.Process.Signal(syscall.SIGKILL))
	_ = child.Wait()
	_, err = Cached(ctx, "two", writes(new(int)))
	require.NoError(t, err)
	assert.Equal(t, []string{earlier + "perhaps", "one", "two"}, names(t, cache))
}

// The error names the unusable cache directory and the remedy, in one line.
func TestUnusableCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for name, tt := range map[string]struct{ cache, says string }{
		"a file":            {file, "the cache of built models " + file + " is a file; set RNICGEN_CACHE to a directory"},
		"below a file":      {file + "/cache", "the cache of built models " + file + "/cache cannot be written: not a directory; set RNICGEN_CACHE to a directory that can"},
		"cannot be created": {"/proc/rnicgen", "the cache of built models /proc/rnicgen cannot be written: no such file or directory; set RNICGEN_CACHE to a directory that can"},
		"cannot be written": {"/proc/self/fdinfo",
			"the cache of built models /proc/self/fdinfo cannot be written: no such file or directory; set RNICGEN_CACHE to a directory that can"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(variable, tt.cache)
			_, err := Cached(t.Context(), "entry", func(string) error { t.Error("built without a cache directory"); return nil })
			assert.EqualError(t, err, tt.says)
		})
	}
}

// A disk that fills up is reported as such, whether Go or a tool detects it, and no files remain.
func TestFullDisk(t *testing.T) {
	ctx, cache, _ := cacheFor(t)
	for _, wrong := range []error{
		&fs.PathError{Op: "write", Path: "dut.so", Err: syscall.ENOSPC},
		&fs.PathError{Op: "write", Path: "dut.so", Err: syscall.EDQUOT},
		&Error{Command: "g++ -c", Stderr: "/usr/bin/as: BFD: final close failed: No space left on device", Err: errors.New("exit status 1")},
	} {
		_, err := Cached(ctx, "entry", func(dir string) error { return errors.Join(writes(new(int))(dir), wrong) })
		assert.EqualError(t, err, "no space left for built models in "+cache+"; free some, or set RNICGEN_CACHE to a directory with more")
		assert.Empty(t, names(t, cache))
	}
}

// An entry that cannot be loaded is removed and rebuilt.
func TestRemove(t *testing.T) {
	ctx, cache, log := cacheFor(t)
	builds := 0
	dir, err := Cached(ctx, "entry", writes(&builds))
	require.NoError(t, err)
	require.NoError(t, Remove(ctx, dir, errors.New("needs another libstdc++")))
	assert.Empty(t, names(t, cache))
	assert.Contains(t, log.String(), "needs another libstdc++")
	_, err = Cached(ctx, "entry", writes(&builds))
	require.NoError(t, err)
	assert.Equal(t, 2, builds)
}

func BenchmarkCheck(b *testing.B) {
	b.Setenv(variable, b.TempDir())
	dir, err := Cached(b.Context(), "entry", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "dut.so"), make([]byte, 4<<20), 0o644)
	})
	require.NoError(b, err)
	for name, before := range map[string]func(){"first": forget, "again": func() {}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				before()
				require.NoError(b, check(dir))
			}
		})
	}
}
