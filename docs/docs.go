// Package docs holds the pages that the program writes beside what it generates.
package docs

import (
	_ "embed"
	"regexp"
	"slices"
)

// Interpretations are the decisions on unclear text of the specifications, in Markdown.
//
//go:embed interpretations.md
var Interpretations string

var decisionRow = regexp.MustCompile(`(?m)^\| (I-[0-9]{2,3}) \|`)

// Decisions lists the ids of Interpretations in their order. One that has additions for an extension is listed once.
func Decisions() (ids []string) {
	for _, row := range decisionRow.FindAllStringSubmatch(Interpretations, -1) {
		if !slices.Contains(ids, row[1]) {
			ids = append(ids, row[1])
		}
	}
	return ids
}
