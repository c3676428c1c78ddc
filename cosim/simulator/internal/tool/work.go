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

// A build locks a work directory in the cache, named after its entry; concurrent builds of the same entry wait for that lock. The
// system releases the lock whenever the process ends, even by a crash, so an unlocked work directory is stale.
const (
	working = "building."
	earlier = "building-" // of versions without locks
)

// patience is the age above which a work directory of a version without locks counts as stale.
const patience = time.Hour

// begin creates and locks the work directory of an entry, and sweeps those of killed builds. release removes the directory, or the
// old entry that was exchanged with it. If the entry is already being built, begin waits for that build and returns errDone.
func begin(ctx context.Context, cache, name string) (dir string, release func(), err error) {
	unlock, err := lock(ctx, cache) // prevents a sweep between creating and locking
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

// claim creates and locks the work directory of an entry; other is the one of a build in progress.
func claim(cache, name string) (dir string, held, other *os.File, err error) {
	sweep(cache)
	dir = filepath.Join(cache, working+name)
	if err = os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
		if other = busy(dir); other != nil {
			return "", nil, other, nil
		}
		dir, err = os.MkdirTemp(cache, working+name+".") // the file system has no locks
	}
	if err != nil {
		return "", nil, nil, err
	}
	if held, err = os.Open(dir); err != nil {
		return "", nil, nil, errors.Join(err, os.Remove(dir))
	}
	_ = flock(held) // without locks nothing is swept either
	return dir, held, nil, nil
}

// errDone reports that another build of the same entry has ended, successfully or not.
var errDone = errors.New("another build of the entry has ended")

// await waits until the work directory f is unlocked and returns errDone.
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

// busy opens a work directory if a build holds its lock.
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

// sweep removes stale work directories. Those that it cannot remove are left for the next sweep.
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

// lock acquires exclusive access to the cache directory.
func lock(ctx context.Context, cache string) (unlock func(), err error) {
	f, err := os.Open(cache)
	if err != nil {
		return nil, unusable(cache, err)
	}
	for {
		if err := flock(f); !errors.Is(err, syscall.EWOULDBLOCK) { // any other error: the file system has no locks
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

// flock tries to lock a file or directory until it is closed.
func flock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
