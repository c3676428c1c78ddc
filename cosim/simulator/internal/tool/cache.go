// Package tool runs the programs that build an engine's model, and caches their output under a hash of all inputs.
package tool

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"
)

// variable is the environment variable that names the cache directory.
const variable = "RNICGEN_CACHE"

// cacheDir returns the cache directory: RNICGEN_CACHE, or rnicgen in the user's cache directory.
func cacheDir() (string, error) {
	dir := os.Getenv(variable)
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no cache directory for built models; set %s to a directory: %w", variable, err)
		}
		dir = filepath.Join(user, "rnicgen")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", fmt.Errorf("the cache of built models %s is a file; set %s to a directory", dir, variable)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", unusable(dir, err)
	}
	return dir, nil
}

// unusable explains what to do about a cache that cannot be written, or is out of space.
func unusable(cache string, err error) error {
	if full(cache, err) {
		return fmt.Errorf("no space left for built models in %s; free some, or set %s to a directory with more", cache, variable)
	}
	return fmt.Errorf("the cache of built models %s cannot be written: %w; set %s to a directory that can", cache, cause(err), variable)
}

// Hash identifies a build by all its inputs. Hashing their lengths too keeps adjacent inputs apart.
func Hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// Cached returns the named directory in the cache, after make has filled it. It appears completely or not at all: make works in a
// temporary directory, which is then renamed. A concurrent caller, even in another process, waits for the first. A damaged entry is
// rebuilt and replaced atomically; processes that have loaded the old one keep it. Damage is reported to the context's logger.
func Cached(ctx context.Context, name string, make func(dir string) error) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, name)
	for {
		wrong := check(dir)
		if wrong == nil {
			return dir, nil
		}
		work, release, err := begin(ctx, cache, name)
		if errors.Is(err, errDone) {
			continue
		}
		if err != nil {
			return "", err
		}
		defer release()
		if wrong = check(dir); wrong == nil { // built since the first check
			return dir, nil
		}
		if !errors.Is(wrong, errAbsent) {
			hclog.FromContext(ctx).Warn("a cached model is damaged: rebuilding it", "model", dir, "damage", wrong.Error())
		}
		if err := build(ctx, work, dir, make); err != nil {
			return "", err
		}
		return dir, nil
	}
}

// build fills work and installs it as the entry dir.
func build(ctx context.Context, work, dir string, make func(dir string) error) error {
	cache, name := filepath.Dir(dir), filepath.Base(dir)
	if err := make(work); err != nil {
		if ctx.Err() == nil && full(cache, err) {
			err = unusable(cache, err)
		}
		return err
	}
	if err := seal(work, name); err != nil {
		return unusable(cache, err)
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return unusable(cache, err)
	}
	return place(ctx, cache, work, dir)
}

// Remove removes an undamaged but unusable entry from the cache, and logs why.
func Remove(ctx context.Context, dir string, why error) error {
	cache := filepath.Dir(dir)
	work, release, err := begin(ctx, cache, "removal."+filepath.Base(dir))
	if errors.Is(err, errDone) {
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	if err := os.Rename(dir, filepath.Join(work, "old")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unusable(cache, err)
	}
	hclog.FromContext(ctx).Warn("a cached model cannot be used: rebuilding it", "model", dir, "reason", why.Error())
	return nil
}

// place installs a finished directory as the entry dir, unless a valid entry exists by now.
func place(ctx context.Context, cache, work, dir string) error {
	unlock, err := lock(ctx, cache)
	if err != nil {
		return err
	}
	defer unlock()
	switch err := check(dir); {
	case err == nil:
		return nil
	case errors.Is(err, errAbsent):
		err = os.Rename(work, dir)
	default:
		err = exchange(work, dir)
	}
	if err != nil {
		return unusable(cache, err)
	}
	return nil
}
