package tool

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A build works in a directory of the cache that it holds a lock on, by the name of what it builds: who wants the same waits for it.
// The lock ends with its process, whatever ends that, so that what has no lock is nobody's.
const (
	working = "building."
	earlier = "building-" // of versions that held no lock
)

// patience is the age at which what has never had a lock is nobody's.
const patience = time.Hour

// begin makes the directory to build name in, with a lock on it, and takes away what killed builds left. release removes the
// directory, or what has taken its place. Who else builds the same is waited for; then there is errDone and no directory.
func begin(ctx context.Context, cache, name string) (dir string, release func(), err error) {
	unlock, err := lock(ctx, cache) // nobody sweeps between making and locking
	if err != nil {
		return "", nil, err
	}
	dir, held, other, err := claim(cache, name)
	unlock()
	switch {
	case err != nil:
		return "", nil, unusable(cache, err)
	case other != nil:
		return "", nil, await(ctx, other)
	}
	return dir, func() {
		_ = os.RemoveAll(dir)
		_ = held.Close()
	}, nil
}

// claim makes the directory to build name in, and holds it locked; or gives that of who builds it already.
func claim(cache, name string) (dir string, held, other *os.File, err error) {
	sweep(cache)
	dir = filepath.Join(cache, working+name)
	if err = os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
		if other = busy(dir); other != nil {
			return "", nil, other, nil
		}
		dir, err = os.MkdirTemp(cache, working+name+".") // there are no locks here
	}
	if err != nil {
		return "", nil, nil, err
	}
	if held, err = os.Open(dir); err != nil {
		return "", nil, nil, errors.Join(err, os.Remove(dir))
	}
	_ = flock(held) // where there are no locks, nobody sweeps either
	return dir, held, nil, nil
}

// errDone says that somebody else has built what was to be built, or has failed to.
var errDone = errors.New("somebody else has built it")

// await returns errDone as soon as nobody works any more in the directory that f is.
func await(ctx context.Context, f *os.File) error {
	defer f.Close()
	for errors.Is(flock(f), syscall.EWOULDBLOCK) {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
	return errDone
}

// busy gives the directory, opened, if somebody works in it.
func busy(dir string) *os.File {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	if errors.Is(flock(f), syscall.EWOULDBLOCK) {
		return f
	}
	_ = f.Close()
	return nil
}

// sweep removes the directories of builds that are no more. It leaves what it cannot remove to the next.
func sweep(cache string) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(cache, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), working):
			if f, err := os.Open(path); err == nil {
				if flock(f) == nil {
					_ = os.RemoveAll(path)
				}
				_ = f.Close()
			}
		case strings.HasPrefix(e.Name(), earlier):
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > patience {
				_ = os.RemoveAll(path)
			}
		}
	}
}

// lock waits until nobody else changes what is in the cache, and keeps all others from it.
func lock(ctx context.Context, cache string) (unlock func(), err error) {
	f, err := os.Open(cache)
	if err != nil {
		return nil, unusable(cache, err)
	}
	for {
		if err := flock(f); !errors.Is(err, syscall.EWOULDBLOCK) { // an error: there are no locks here
			return func() { _ = f.Close() }, nil
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, context.Cause(ctx)
		case <-time.After(time.Millisecond):
		}
	}
}

// flock takes the lock of a file or directory, if nobody has it, until it is closed.
func flock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
