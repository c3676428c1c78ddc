package falcon

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rnicgen/rnicgen/docs"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	rdmap "github.com/rnicgen/rnicgen/vectors/suite"
)

// Is reports whether a directory holds vectors of the profile. Any other answer is left to the reader of the other profile.
func Is(dir string) bool {
	m, err := outdir.Read(dir)
	return err == nil && m.Kind == Kind
}

// Read reads the suite of a vector directory. All files must match the manifest, and vectors.json must satisfy the schema and
// Suite.Check.
func Read(dir string) (*suite.Suite, error) {
	if _, err := outdir.Verify(dir); err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	name := filepath.Join(dir, suiteFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	s, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("vectors: %s: %w", name, err)
	}
	return s, nil
}

func decode(text []byte) (*suite.Suite, error) {
	if err := validate(text); err != nil {
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
	return s, checkCited(s)
}

// checkCited returns an error for a requirement or a decision that does not exist.
func checkCited(s *suite.Suite) error {
	known, err := catalogue()
	if err != nil {
		return err
	}
	decisions := docs.Decisions()
	s.Each(func(_ *suite.Group, t *suite.Test) {
		for _, id := range t.Requirements {
			if _, is := known[id]; !is && err == nil {
				err = &rdmap.FieldError{Field: fmt.Sprintf("requirements of tcId %d", t.TcID), Value: id, Allowed: "an id of the requirement catalogue"}
			}
		}
		for _, id := range t.Decisions {
			if !slices.Contains(decisions, id) && err == nil {
				err = &rdmap.FieldError{Field: fmt.Sprintf("decisions of tcId %d", t.TcID), Value: id, Allowed: "an id of docs/interpretations.md"}
			}
		}
	})
	return err
}
