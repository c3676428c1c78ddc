package main

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// The profile falcon has vectors and a golden model, but no hardware yet.

// isFalcon reports whether a configuration file names the profile.
func isFalcon(text []byte) bool {
	var c struct{ Profile string }
	return yaml.Unmarshal(text, &c) == nil && c.Profile == suite.Profile
}

// errNoHardware is what commands say that need hardware of the profile.
var errNoHardware = &gen.FieldError{Field: "profile", Value: suite.Profile,
	Allowed: gen.Default().Profile + "; " + suite.Profile + " has no hardware yet, only the commands vectors, check-vectors and requirements work with it"}

// readFalcon reads a configuration of the profile.
func (a *app) readFalcon(text []byte) (suite.Config, error) {
	c, err := suite.ReadConfig(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", a.config, err)
	}
	return c, nil
}

// falconReport is the JSON report of vectors.
type falconReport struct {
	Dir          string         `json:"dir"`
	Config       suite.Seeded   `json:"config"`
	Files        int            `json:"files"`
	Summary      falcon.Summary `json:"summary"`
	ErrorPercent int            `json:"errorPercent"`
}

// falconVectors writes vectors of the profile.
func (a *app) falconVectors(text []byte, dir string, seed uint64, flags bool) error {
	c, err := a.readFalcon(text)
	if err != nil {
		return err
	}
	files, s, err := falcon.Generate(c, seed)
	if err != nil {
		return err
	}
	if err := outdir.Write(dir, falcon.Manifest(c, seed), files); err != nil {
		return err
	}
	if flags && a.json != "-" {
		if err := s.WriteFlags(a.out); err != nil {
			return err
		}
	}
	a.printf("%d tests, %d with errors (%d %%), %d files in %s\n", s.Tests, s.Errors, s.ErrorShare(), len(files)+1, dir)
	return a.report(falconReport{Dir: dir, Config: suite.Seeded{Config: c, Seed: seed}, Files: len(files) + 1, Summary: s, ErrorPercent: s.ErrorShare()})
}

// checkFalcon replays a directory of the profile; given: --engine was.
func (a *app) checkFalcon(dir string, given bool, tcIDs []int) error {
	if given && a.engine != falcon.Engine {
		return fmt.Errorf("--engine is %q; allowed for vectors of profile %s: %s", a.engine, suite.Profile, falcon.Engine)
	}
	r, err := falcon.Check(dir, tcIDs)
	if err != nil {
		return err
	}
	if err := errors.Join(a.report(r), a.writeUnlessJSON(r)); err != nil {
		return err
	}
	if !r.OK() {
		return errMismatch
	}
	return nil
}

// writeUnlessJSON prints a report, unless the JSON report goes to standard output.
func (a *app) writeUnlessJSON(r *falcon.Report) error {
	if a.json == "-" {
		return nil
	}
	return r.Write(a.out)
}
