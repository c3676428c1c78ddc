// Package requirements holds the catalogues of what the specifications demand, one row a statement, and the reviewed tables of
// what shows them beside vectors, or why nothing does.
package requirements

import (
	"embed"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// Row is one statement. Level is MUST, MUST NOT, SHOULD, MAY or FACT; Check says how it can be shown.
type Row struct {
	ID, Section, Level, Role, Topic, Requirement, Check, Notes string
}

//go:embed *.csv
var files embed.FS

// Catalogues, and the extension that each is for.
var catalogues = []struct{ file, extension string }{
	{"rfc7306.csv", ""},
	{"draft-ietf-storm-rdmap-ext-00.csv", "draft00"},
}

// columns open every catalogue.
var columns = []string{"id", "section", "level", "role", "topic", "requirement", "check", "notes"}

// All lists the rows of all catalogues.
func All() ([]Row, error) {
	var rows []Row
	for _, c := range catalogues {
		r, err := read(c.file)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

// Of lists the rows that a configuration answers for.
func Of(config gen.Config) ([]Row, error) {
	var rows []Row
	for _, c := range catalogues {
		if c.extension != "" && !slices.Contains(config.Extensions, c.extension) {
			continue
		}
		r, err := read(c.file)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

func read(name string) (rows []Row, err error) {
	err = table(name, columns, func(l []string) { rows = append(rows, Row{l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]}) })
	return rows, err
}
