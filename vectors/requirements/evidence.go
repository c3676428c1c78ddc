package requirements

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// Kinds of a property.
const (
	KindTest     = "test"     // a Go test of this repository, as package.Test
	KindProof    = "proof"    // the same, which has a solver prove something for all inputs
	KindProperty = "property" // a formal property of a block, as kind/name: gen/testdata/spec/kind.v has it
	KindRow      = "row"      // another requirement, that demands the same or more
)

// Property is something beside vectors that shows a requirement.
type Property struct{ ID, Kind, Name, Note string }

// Exception is the reason why nothing shows a requirement.
type Exception struct{ ID, Reason string }

// Place is where a requirement is implemented: the files of the hardware, then those of the model. A file of both, such as a
// header's layout, stands with the model.
type Place struct {
	ID    string
	Files []string
}

// Infrastructure is a kind of block that no requirement speaks of, and why.
type Infrastructure struct{ Kind, Reason string }

// Properties lists all of them.
func Properties() (list []Property, err error) {
	err = table("properties.csv", []string{"id", "kind", "name", "note"}, func(l []string) { list = append(list, Property{l[0], l[1], l[2], l[3]}) })
	return list, err
}

// Exceptions lists all of them.
func Exceptions() (list []Exception, err error) {
	err = table("exceptions.csv", []string{"id", "reason"}, func(l []string) { list = append(list, Exception{l[0], l[1]}) })
	return list, err
}

// Places lists all of them.
func Places() (list []Place, err error) {
	err = table("implemented.csv", []string{"id", "places"}, func(l []string) { list = append(list, Place{l[0], strings.Fields(l[1])}) })
	return list, err
}

// Infrastructures lists all of them.
func Infrastructures() (list []Infrastructure, err error) {
	err = table("infrastructure.csv", []string{"kind", "reason"}, func(l []string) { list = append(list, Infrastructure{l[0], l[1]}) })
	return list, err
}

func table(name string, columns []string, row func(l []string)) error {
	data, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return fmt.Errorf("requirements: %s: %w", name, err)
	}
	if len(lines) == 0 || !slices.Equal(lines[0], columns) {
		return fmt.Errorf("requirements: %s: the first line is not %v", name, columns)
	}
	for _, l := range lines[1:] {
		row(l)
	}
	return nil
}
