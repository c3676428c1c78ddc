// Package tool runs the programs which make what an engine runs, and keeps what they made under a hash of all that went into it.
package tool

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// cacheDir is where it is kept: RNICGEN_CACHE, or rnicgen in the user's cache directory.
func cacheDir() (string, error) {
	dir := os.Getenv("RNICGEN_CACHE")
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no place for built models; set RNICGEN_CACHE: %w", err)
		}
		dir = filepath.Join(user, "rnicgen")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o755)
}

// Hash identifies a build by everything which goes into it. Lengths keep neighbours apart.
func Hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// Cached returns the directory of that name in the cache, after make has filled it. It appears as a whole or not at all:
// make works in a temporary directory which is then renamed. Whoever comes second, also from another process, throws its
// own work away.
func Cached(name string, make func(dir string) error) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, name)
	if isDir(dir) {
		return dir, nil
	}
	work, err := os.MkdirTemp(cache, "building-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := make(work); err != nil {
		return "", err
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(work, dir); err != nil && !isDir(dir) {
		return "", err
	}
	return dir, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
