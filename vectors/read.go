package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/schema"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// ErrInput is what every error about a vector directory is (errors.Is): the directory is unusable, nothing is
// said about the hardware.
var ErrInput = errors.New("vectors: unusable input")

// InputError names the file and what is wrong with it.
type InputError struct {
	File string
	Err  error
}

func (e *InputError) Error() string { return fmt.Sprintf("vectors: %s: %v", e.File, e.Err) }

// Is makes every InputError ErrInput.
func (e *InputError) Is(target error) bool { return target == ErrInput }

// Unwrap is the cause, such as fs.ErrNotExist.
func (e *InputError) Unwrap() error { return e.Err }

// Read reads the suite of a vector directory. All files must be as the manifest lists them, and vectors.json
// must be what the schema and Suite.Check allow. The error is ErrInput.
func Read(dir string) (*suite.Suite, error) {
	refuse := func(name string, err error) (*suite.Suite, error) {
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
	s, err := decode(text)
	if err != nil {
		return refuse(suiteFile, err)
	}
	return s, nil
}

func decode(text []byte) (*suite.Suite, error) {
	if err := schema.Validate(text); err != nil {
		return nil, err
	}
	s := &suite.Suite{}
	s.Config.Top = gen.TopAtomics // files from before there was another top do not say it
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, checkCited(s)
}

// checkCited refuses a requirement that is in no catalogue of the configuration.
func checkCited(s *suite.Suite) (err error) {
	rows, err := requirements.Of(s.Config.Config)
	if err != nil {
		return err
	}
	known := orderOf(rows)
	s.Each(func(_ *suite.Group, t *suite.Test) {
		for _, id := range t.Requirements {
			if _, is := known[id]; !is && err == nil {
				err = &suite.FieldError{Field: fmt.Sprintf("requirements of tcId %d", t.TcID), Value: id, Allowed: "an id of the requirement catalogues"}
			}
		}
	})
	return err
}
