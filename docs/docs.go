// Package docs holds the pages that the program writes beside what it generates.
package docs

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

// Interpretations are the decisions on unclear text of the specifications, in Markdown.
//
//go:embed interpretations.md
var Interpretations string

// FalconVectors describes vectors of the profile falcon, in Markdown.
//
//go:embed falcon_vectors.md
var FalconVectors string

var decisionRow = regexp.MustCompile(`(?m)^\| (I-[0-9]{2,3}) \|`)

// Decisions lists the ids of Interpretations in their order. One that has additions for an extension is listed once.
func Decisions() (ids []string) { return decisions(Interpretations) }

// DecisionsOf lists the ids in the section with a heading; none if there is no such section.
func DecisionsOf(heading string) []string {
	_, section, _ := strings.Cut(Interpretations, "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return decisions(section)
}

func decisions(text string) (ids []string) {
	for _, row := range decisionRow.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(ids, row[1]) {
			ids = append(ids, row[1])
		}
	}
	return ids
}
