// Package outdir writes a directory of generated files whole or not at all.
//
// The files are written to a temporary directory that is renamed in one step, so a partial directory is never visible. Its
// manifest.json lists every file with its sha256. An existing directory is replaced only if its own manifest shows that it contains
// nothing else, so that no file of the user is lost.
package outdir

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ManifestName is the file that lists the others.
const ManifestName = "manifest.json"

// File is one file of the directory; Name has slashes and is relative to it.
type File struct {
	Name string
	Data []byte
}

// Entry is a file in the manifest.
type Entry struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Manifest is the content of manifest.json.
type Manifest struct {
	Generator string  `json:"generator"` // "rnicgen" and its version
	Kind      string  `json:"kind"`      // kind of directory: rtl or vectors
	Config    any     `json:"config"`
	Files     []Entry `json:"files"`
}

// Write puts files and their manifest into dir. m.Files is filled in here, sorted by name.
func Write(dir string, m Manifest, files []File) error {
	m.Files = nil
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		m.Files = append(m.Files, Entry{f.Name, len(f.Data), hex.EncodeToString(sum[:])})
	}
	slices.SortFunc(m.Files, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	dir = filepath.Clean(dir)
	if err := Check(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("output directory %s: %w", dir, err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".new-")
	if err != nil {
		return fmt.Errorf("output directory %s: its parent cannot be written: %w", dir, err)
	}
	defer os.RemoveAll(fresh)
	for _, f := range append(files, File{ManifestName, append(text, '\n')}) {
		place := filepath.Join(fresh, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(place, f.Data, 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	return swap(fresh, dir)
}

// swap moves fresh to dir; the previous directory is removed once the new one is in place.
func swap(fresh, dir string) error {
	old := fresh + ".old"
	err := os.Rename(dir, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("output directory %s: %w", dir, err)
	}
	had := err == nil
	if err := os.Rename(fresh, dir); err != nil {
		if had {
			_ = os.Rename(old, dir)
		}
		return fmt.Errorf("output directory %s: %w", dir, err)
	}
	if had {
		return os.RemoveAll(old)
	}
	return nil
}

// Check refuses a directory that contains anything not written by an earlier run.
func Check(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("output directory %s: %w", dir, err)
	case !info.IsDir():
		return fmt.Errorf("output directory %s: a file is there; allowed: a new directory, an empty one, or one that rnicgen wrote", dir)
	}
	ours := map[string]bool{".": true, ManifestName: true}
	if m, err := Read(dir); err == nil {
		for _, f := range m.Files {
			for name := f.Name; !ours[name]; name = path.Dir(name) {
				ours[name] = true
			}
		}
	}
	return filepath.WalkDir(dir, func(at string, _ fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("output directory %s: %w", dir, err)
		}
		name, _ := filepath.Rel(dir, at)
		if !ours[filepath.ToSlash(name)] {
			return fmt.Errorf("output directory %s: %s in it is not from rnicgen; allowed: a new directory, an empty one, or one that rnicgen wrote", dir, name)
		}
		return nil
	})
}

// Read reads the manifest of a directory.
func Read(dir string) (Manifest, error) {
	var m Manifest
	text, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%s: %w", filepath.Join(dir, ManifestName), err)
	}
	return m, nil
}

// Verify compares every file of a directory with its manifest.
func Verify(dir string) (Manifest, error) {
	m, err := Read(dir)
	if err != nil {
		return m, err
	}
	for _, f := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return m, fmt.Errorf("%s: %q leads out of the directory", ManifestName, f.Name)
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil {
			return m, err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 {
			return m, fmt.Errorf("%s: %s differs from its sha256 in %s", dir, f.Name, ManifestName)
		}
	}
	return m, nil
}
