// Package docs holds the pages that the program writes beside what it generates.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
)

// Interpretations are the decisions on unclear text of the specifications, in Markdown.
//
//go:embed interpretations.md
var Interpretations string

var decisionRow = regexp.MustCompile(`(?m)^\| (I-[0-9]{2,3}) \|`)

// Decisions lists the ids of Interpretations on what is generated, in their order: those before the sections on
// extensions that only the golden model has.
func Decisions() (ids []string) {
	generated, _, _ := strings.Cut(Interpretations, "\n## ")
	for _, row := range decisionRow.FindAllStringSubmatch(generated, -1) {
		ids = append(ids, row[1])
	}
	return ids
}
