package evidence

import (
	"bytes"
	_ "embed"
	"strings"
	"text/template"
)

//go:embed evidence.md.tmpl
var page string

const (
	longest = 120 // lines of a step's output shown in full
	tail    = 25  // lines shown of a longer one
)

// markdown renders the page for readers.
func (e *Evidence) markdown() []byte {
	var b bytes.Buffer
	t := template.Must(template.New("").Funcs(template.FuncMap{"shown": shown, "cell": func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }}).Parse(page))
	if err := t.Execute(&b, e); err != nil {
		panic(err) // the template and the types are both here
	}
	return b.Bytes()
}

// shown returns a step's output, or the tail of a long one.
func shown(s Step) string {
	lines := strings.Split(strings.TrimRight(s.Printed, "\n"), "\n")
	if len(lines) > longest {
		lines = append([]string{"... complete output in " + s.Name + ".txt"}, lines[len(lines)-tail:]...)
	}
	return strings.Join(lines, "\n")
}
