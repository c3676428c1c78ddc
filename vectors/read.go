package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rnicgen/rnicgen/docs"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/schema"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// ErrInput matches (errors.Is) every error about a vector directory: the directory is unusable, and the hardware was
// not judged.
var ErrInput = errors.New("vectors: unusable input")

// InputError is an error in a file of a vector directory.
type InputError struct {
	File string
	Err  error
}

func (e *InputError) Error() string { return fmt.Sprintf("vectors: %s: %v", e.File, e.Err) }

// Is makes every InputError match ErrInput.
func (e *InputError) Is(target error) bool { return target == ErrInput }

// Unwrap returns the cause, such as fs.ErrNotExist.
func (e *InputError) Unwrap() error { return e.Err }

// Read reads the suite of a vector directory. All files must match the manifest, and vectors.json must satisfy the
// schema and Suite.Check. Errors match ErrInput.
func Read(dir string) (*suite.Suite, error) {
	text, err := readText(dir)
	if err != nil {
		return nil, err
	}
	s, err := decode(text)
	if err != nil {
		return nil, &InputError{filepath.Join(dir, suiteFile), err}
	}
	return s, nil
}

// readText verifies a directory and reads vectors.json.
func readText(dir string) ([]byte, error) {
	refuse := func(name string, err error) ([]byte, error) {
		return nil, &InputError{filepath.Join(dir, name), err}
	}
	m, err := outdir.Verify(dir)
	if err != nil {
		return refuse(outdir.ManifestName, err)
	}
	if m.Kind != Kind {
		return refuse(outdir.ManifestName, &suite.FieldError{Field: "kind", Value: fmt.Sprintf("%q", m.Kind), Allowed: Kind})
	}
	listed := false
	for _, f := range m.Files {
		listed = listed || f.Name == suiteFile
	}
	if !listed {
		return refuse(outdir.ManifestName, &suite.FieldError{Field: "files", Value: "without " + suiteFile, Allowed: "all files of the directory"})
	}
	text, err := os.ReadFile(filepath.Join(dir, suiteFile))
	if err != nil {
		return refuse(suiteFile, err)
	}
	return text, nil
}

func decode(text []byte) (*suite.Suite, error) {
	if err := schema.Validate(text); err != nil {
		return nil, err
	}
	s := &suite.Suite{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	cited := map[int][]string{}
	s.Each(func(_ *suite.Group, t *suite.Test) { cited[t.TcID] = t.Requirements })
	return s, errors.Join(checkKnown(s.Config.Config, cited), checkDecisions(s))
}

// checkDecisions returns an error for a decision that is not in docs/interpretations.md.
func checkDecisions(s *suite.Suite) (err error) {
	known := map[string]bool{}
	for _, id := range docs.Decisions() {
		known[id] = true
	}
	refuse := func(t *suite.Test, ids []string) {
		for _, id := range ids {
			if !known[id] && err == nil {
				err = &suite.FieldError{Field: fmt.Sprintf("decisions of tcId %d", t.TcID), Value: id, Allowed: "an id of docs/interpretations.md"}
			}
		}
	}
	s.Each(func(_ *suite.Group, t *suite.Test) {
		refuse(t, t.Decisions)
		for i := range t.Expect {
			if a := t.Expect[i].Allowed; a != nil {
				refuse(t, a.Decisions)
			}
		}
		for _, a := range t.Alternatives {
			refuse(t, a.Decisions)
		}
	})
	return err
}

// checkKnown returns an error for a requirement that is not in the catalogues.
func checkKnown(c gen.Config, cited map[int][]string) error {
	rows, err := requirements.Of(c)
	if err != nil {
		return err
	}
	known := orderOf(rows)
	for _, tcID := range slices.Sorted(maps.Keys(cited)) {
		for _, id := range cited[tcID] {
			if _, is := known[id]; !is {
				return &suite.FieldError{Field: fmt.Sprintf("requirements of tcId %d", tcID), Value: id, Allowed: "an id of the requirement catalogues"}
			}
		}
	}
	return nil
}
