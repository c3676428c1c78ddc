// Package requirements holds the catalogues of what the specifications demand, one row a statement, and the reviewed tables of
// where it is implemented, of what shows it beside vectors, or why nothing does.
package requirements

import (
	"embed"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// Row is one statement. Level is MUST, MUST NOT, SHOULD, MAY or FACT; Check says how it can be shown.
type Row struct {
	Catalogue string // name of its catalogue

	ID, Section, Level, Role, Topic, Requirement, Check, Notes string
}

// Catalogue is the rows of one specification, which a configuration answers for when it has this profile, and this extension.
type Catalogue struct {
	Name      string // of the file, without .csv
	Profile   string
	Extension string // empty: the profile alone
}

// Catalogues lists all of them. Some are of profiles and extensions that no top has yet: the rows are here, and are demanded from
// the day on which a configuration can have them.
var Catalogues = []Catalogue{
	{Name: "rfc7306", Profile: "rdmap"},
	{Name: "draft-ietf-storm-rdmap-ext-00", Profile: "rdmap", Extension: "draft00"},
	{Name: "draft-talpey-rdma-commit-01", Profile: "rdmap", Extension: "commit"},
	{Name: "ocp-rdma-over-falcon-0.9", Profile: "falcon"},
}

// Demanded is true when a configuration answers for the rows.
func (c Catalogue) Demanded(config gen.Config) bool {
	return c.Profile == config.Profile && (c.Extension == "" || slices.Contains(config.Extensions, c.Extension))
}

// Adapt gives a configuration the profile and the extension of the catalogue.
func (c Catalogue) Adapt(config gen.Config) gen.Config {
	config.Profile, config.Extensions = c.Profile, []string{}
	if c.Extension != "" {
		config.Extensions = []string{c.Extension}
	}
	return config
}

//go:embed *.csv
var files embed.FS

// columns open every catalogue.
var columns = []string{"id", "section", "level", "role", "topic", "requirement", "check", "notes"}

// All lists the rows of all catalogues.
func All() ([]Row, error) { return rows(func(Catalogue) bool { return true }) }

// Of lists the rows that a configuration answers for.
func Of(config gen.Config) ([]Row, error) {
	return rows(func(c Catalogue) bool { return c.Demanded(config) })
}

func rows(of func(Catalogue) bool) (list []Row, err error) {
	for _, c := range Catalogues {
		if !of(c) {
			continue
		}
		row := func(l []string) { list = append(list, Row{c.Name, l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]}) }
		if err := table(c.Name+".csv", columns, row); err != nil {
			return nil, err
		}
	}
	return list, nil
}
