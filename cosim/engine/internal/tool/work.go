package tool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A build works in a directory of the cache that it holds a lock on. The lock ends with its process, whatever ends that, so that
// what has no lock is nobody's.
const (
	working = "building."
	earlier = "building-" // of versions that held no lock
)

// patience is the age at which what has never had a lock is nobody's.
const patience = time.Hour

// begin makes a directory to build in, with a lock on it, and takes away what killed builds left. release removes the directory,
// or what has taken its place.
func begin(ctx context.Context, cache string) (dir string, release func(), err error) {
	unlock, err := lock(ctx, cache) // nobody sweeps between making and locking
	if err != nil {
		return "", nil, err
	}
	defer unlock()
	sweep(cache)
	if dir, err = os.MkdirTemp(cache, working); err != nil {
		return "", nil, unusable(cache, err)
	}
	held, err := os.Open(dir)
	if err != nil {
		return "", nil, unusable(cache, errors.Join(err, os.Remove(dir)))
	}
	_ = flock(held) // where there are no locks, nobody sweeps either
	return dir, func() {
		_ = os.RemoveAll(dir)
		_ = held.Close()
	}, nil
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
