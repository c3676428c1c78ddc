// Package requirements holds the catalogues of the specifications' requirements, one row per statement, and the
// reviewed tables of evidence other than vectors, and of exceptions.
package requirements

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/gen"
)

// Row is one statement. Level is MUST, MUST NOT, SHOULD, MAY or FACT; Check describes how to verify it. Places lists the
// files that implement it: first hardware, then model. A shared file, such as a header layout, is listed with the model.
type Row struct {
	Catalogue string // name of its catalogue

	ID, Section, Level, Role, Topic, Requirement, Check, Notes string

	Places []string
}

// Catalogue holds the rows of one specification, which apply to configurations with its profile and extension.
type Catalogue struct {
	Name      string // of the file, without .csv
	Profile   string
	Extension string // empty: only the profile

	file string
}

//go:embed *.csv */*.csv */*/*.csv
var files embed.FS

// Catalogues lists all catalogues: those of profiles, PROFILE/NAME.csv, then those of extensions,
// PROFILE/EXTENSION/NAME.csv. Some are for profiles and extensions that no version has yet; they apply as soon as a
// configuration can have them.
var Catalogues = catalogues()

func catalogues() (list []Catalogue) {
	for _, pattern := range []string{"*/*.csv", "*/*/*.csv"} {
		names, _ := fs.Glob(files, pattern)
		for _, file := range names {
			c := Catalogue{Name: strings.TrimSuffix(path.Base(file), ".csv"), file: file}
			c.Profile, c.Extension, _ = strings.Cut(path.Dir(file), "/")
			list = append(list, c)
		}
	}
	return list
}

// Demanded reports whether the rows apply to a configuration.
func (c Catalogue) Demanded(config gen.Config) bool {
	return c.Profile == config.Profile && (c.Extension == "" || slices.Contains(config.Extensions, c.Extension))
}

// Adapt returns a configuration with the profile and extension of the catalogue.
func (c Catalogue) Adapt(config gen.Config) gen.Config {
	config.Profile, config.Extensions = c.Profile, []string{}
	if c.Extension != "" {
		config.Extensions = []string{c.Extension}
	}
	return config
}

// columns is the header line of every catalogue.
var columns = []string{"id", "section", "level", "role", "topic", "requirement", "check", "notes", "places"}

// All returns the rows of all catalogues.
func All() ([]Row, error) { return rows(func(Catalogue) bool { return true }) }

// Of returns the rows that apply to a configuration.
func Of(config gen.Config) ([]Row, error) {
	return rows(func(c Catalogue) bool { return c.Demanded(config) })
}

func rows(of func(Catalogue) bool) (list []Row, err error) {
	for _, c := range Catalogues {
		if !of(c) {
			continue
		}
		row := func(l []string) {
			list = append(list, Row{c.Name, l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], strings.Fields(l[8])})
		}
		if err := table(c.file, columns, row); err != nil {
			return nil, err
		}
	}
	return list, nil
}
