package requirements

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
)

// Kinds of a property.
const (
	KindTest     = "test"     // a Go test of this repository, as package.Test
	KindProof    = "proof"    // a Go test that has a solver prove something for all inputs
	KindProperty = "property" // a formal property of a block, as kind/name, in gen/testdata/spec/kind.v
	KindRow      = "row"      // another requirement that demands the same or more
)

// Property is evidence for a requirement other than vectors.
type Property struct{ ID, Kind, Name, Note string }

// Exception is the reason why a requirement has no evidence.
type Exception struct{ ID, Reason string }

// Infrastructure is a kind of block that no requirement covers, with the reason.
type Infrastructure struct{ Kind, Reason string }

// Properties returns all properties.
func Properties() (list []Property, err error) {
	err = table("properties.csv", []string{"id", "kind", "name", "note"}, func(l []string) { list = append(list, Property{l[0], l[1], l[2], l[3]}) })
	return list, err
}

// Exceptions returns all exceptions.
func Exceptions() (list []Exception, err error) {
	err = table("exceptions.csv", []string{"id", "reason"}, func(l []string) { list = append(list, Exception{l[0], l[1]}) })
	return list, err
}

// Infrastructures returns all infrastructure blocks.
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
		return fmt.Errorf("requirements: %s: the first line is invalid; allowed: %v", name, columns)
	}
	for _, l := range lines[1:] {
		row(l)
	}
	return nil
}
