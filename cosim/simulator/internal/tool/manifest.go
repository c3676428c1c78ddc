package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// manifestName is the file that lists the other files of a cache entry. It is written last.
const manifestName = "manifest.json"

// manifest lists the files of an entry as built.
type manifest struct {
	Entry string  `json:"entry"` // its name
	Files []entry `json:"files"`
}

type entry struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// seal writes the manifest of a directory that will become the entry of that name.
func seal(dir, name string) error {
	m := manifest{Entry: name}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		e := entry{}
		if e.Name, err = filepath.Rel(dir, path); err != nil {
			return err
		}
		e.Bytes, e.SHA256, err = sum(path)
		m.Files = append(m.Files, e)
		return err
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestName), text, 0o644)
}

// hashed are the manifests whose files this process has already hashed, by directory.
var hashed struct {
	sync.Mutex
	manifests map[string]string
}

// errAbsent reports that the entry does not exist.
var errAbsent = errors.New("there is no such entry")

// check compares an entry with its manifest: sizes on every call, contents once per process. The error describes the damage.
func check(dir string) error {
	if info, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return errAbsent
	} else if err != nil {
		return err
	} else if !info.IsDir() {
		return errors.New("is a file, not a directory")
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return fmt.Errorf("%s: %w", manifestName, cause(err))
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("%s is damaged: %w", manifestName, err)
	}
	switch {
	case m.Entry == "" || len(m.Files) == 0:
		return fmt.Errorf("%s names no entry or no files", manifestName)
	case m.Entry != filepath.Base(dir):
		return fmt.Errorf("%s belongs to entry %s", manifestName, m.Entry)
	}
	for _, f := range m.Files {
		info, err := os.Lstat(filepath.Join(dir, f.Name))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, cause(err))
		}
		if !info.Mode().IsRegular() || info.Size() != f.Bytes {
			return fmt.Errorf("%s has %d octets, not %d", f.Name, info.Size(), f.Bytes)
		}
	}
	hashed.Lock()
	defer hashed.Unlock()
	if hashed.manifests[dir] == string(text) {
		return nil
	}
	for _, f := range m.Files {
		_, is, err := sum(filepath.Join(dir, f.Name))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, cause(err))
		}
		if is != f.SHA256 {
			return fmt.Errorf("%s differs from its sha256", f.Name)
		}
	}
	if hashed.manifests == nil {
		hashed.manifests = map[string]string{}
	}
	hashed.manifests[dir] = string(text)
	return nil
}

// sum returns the size and the SHA-256 of a file.
func sum(path string) (int64, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return n, hex.EncodeToString(h.Sum(nil)), err
}
