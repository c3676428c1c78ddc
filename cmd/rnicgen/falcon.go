package main

import (
	"errors"
	"fmt"

	cosim "github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors"
	"github.com/rnicgen/rnicgen/vectors/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// readRDMAP reads the configuration of a command that knows no other profile.
func (a *app) readRDMAP() (gen.Config, error) {
	c, err := a.readConfig()
	if err == nil && c.Profile != gen.ProfileRDMAP {
		err = fmt.Errorf("%s: %w", a.config, &gen.FieldError{Field: "profile", Value: c.Profile, Allowed: gen.ProfileRDMAP + " with this command"})
	}
	return c, err
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
func (a *app) falconVectors(h gen.Config, dir string, seed uint64, flags bool) error {
	c, err := suite.Of(h)
	if err != nil {
		return fmt.Errorf("%s: %w", a.config, err)
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

// checkFalcon replays a directory of the profile.
func (a *app) checkFalcon(dir string, o vectors.CheckOptions) error {
	hardware := cosim.Options{Engine: a.engine, Seed: o.Options.Seed, Unknown: o.Options.Unknown, Latency: vectors.MemoryLatency, Context: a.ctx}
	if a.engine == falcon.Engine { // alone
		hardware = cosim.Options{}
	}
	r, err := falcon.Check(dir, falcon.CheckOptions{TcIDs: o.TcIDs, Hardware: hardware})
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
