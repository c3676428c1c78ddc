package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// matrix selects the matrix: of the configuration, or without one of the default ones.
func (a *app) matrix() (func() (*vectors.Matrix, error), error) {
	if a.config == "" {
		return func() (*vectors.Matrix, error) { return vectors.MatrixOf() }, nil
	}
	config, err := a.readConfig()
	if err == nil && config.Profile == gen.ProfileFalcon {
		c, err := suite.Of(config)
		return func() (*vectors.Matrix, error) { return vectors.MatrixOfFalcon(c) }, err
	}
	return func() (*vectors.Matrix, error) { return vectors.MatrixOf(config) }, err
}

func (a *app) requirementsCommand() *cobra.Command {
	var catalogue string
	c := &cobra.Command{
		Use: "requirements", Short: "List where each requirement of the specifications is implemented and the evidence for it", Args: cobra.NoArgs,
		Long: `requirements lists every row of the catalogues with the files that implement it and its evidence: vectors, properties (tests,
proofs, formal properties of blocks), or a reviewed exception with its reason. Rows of a catalogue whose profile or extension is
not in the configuration are listed but need no evidence. Without --config, vectors with and without each extension count. It
exits with 1 when a requirement has no evidence, one with evidence has no implementation, an exception is unnecessary, or a cited
requirement does not exist.`,
		RunE: func(*cobra.Command, []string) error {
			if err := a.checkJSON(); err != nil {
				return err
			}
			matrix, err := a.matrix()
			if err != nil {
				return err
			}
			m, err := await(a.ctx, matrix)
			if a.interrupted(err) {
				a.printf("interrupted: nothing counted yet\n")
				return errors.Join(a.partial(struct{}{}), context.Cause(a.ctx))
			}
			var unknown *vectors.CitedError
			if errors.As(err, &unknown) {
				a.printf("orphan: %v\n", err)
				return errMismatch
			}
			if err != nil {
				return err
			}
			if catalogue != "" {
				if m, err = m.Of(catalogue); err != nil {
					return err
				}
			}
			if err := a.report(m.Report()); err != nil {
				return err
			}
			if a.json != "-" {
				if err := m.Write(a.out); err != nil {
					return err
				}
			}
			if !m.OK() {
				return errMismatch
			}
			return nil
		},
	}
	c.Flags().StringVar(&a.config, "config", "", "configuration in YAML whose vectors count as evidence (default: the default configuration, with and without extensions)")
	c.Flags().StringVar(&catalogue, "catalogue", "", "list only the catalogue with this `name`, such as rfc7306")
	a.jsonFlag(c)
	return c
}
