package mutate

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

// Sequences of the modules of Configs, by themselves: a file a module. Each was found because it tells a mutant apart that no
// traffic had killed. What they expect is what the module does: as with traces, a change has to be meant.
//
//go:embed testdata/sequences
var sequencesFiles embed.FS

const sequencesDir = "testdata/sequences"

// sequencesOf are the committed ones of a module.
func sequencesOf(module string) ([]sequence.Sequence, error) {
	files, err := fs.Sub(sequencesFiles, sequencesDir)
	if err != nil {
		return nil, err
	}
	return readSequences(files, module)
}

// readSequences reads those of a module, which may have none.
func readSequences(files fs.FS, module string) ([]sequence.Sequence, error) {
	text, err := fs.ReadFile(files, module+".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []sequence.Sequence
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		err = fmt.Errorf("the sequences of %s: %w", module, err)
	}
	return list, err
}

// sequenced lists the modules that have sequences.
func sequenced() (list []string, err error) {
	files, err := sequencesFiles.ReadDir(sequencesDir)
	for _, f := range files {
		if name, is := strings.CutSuffix(f.Name(), ".json"); is {
			list = append(list, name)
		}
	}
	return list, err
}

// addSequences adds some to those that a directory has of a module.
func addSequences(dir, module string, found []sequence.Sequence) error {
	list, err := readSequences(os.DirFS(dir), module)
	if err != nil {
		return err
	}
	had := len(list)
	for _, s := range found {
		if !slices.ContainsFunc(list, func(o sequence.Sequence) bool { return reflect.DeepEqual(s, o) }) {
			list = append(list, s)
		}
	}
	if len(list) == had {
		return nil
	}
	return writeSequences(dir, module, list)
}

// writeSequences writes those of a module into a directory, a clock a line.
func writeSequences(dir, module string, list []sequence.Sequence) error {
	out := bytes.NewBufferString("[")
	for i, s := range list {
		if i > 0 {
			out.WriteString(",\n")
		}
		out.WriteString("[")
		for j, clock := range s {
			text, err := json.Marshal(clock)
			if err != nil {
				return err
			}
			if j > 0 {
				out.WriteString(",\n ")
			}
			out.Write(text)
		}
		out.WriteString("]")
	}
	out.WriteString("]\n")
	return os.WriteFile(filepath.Join(dir, module+".json"), out.Bytes(), 0o644)
}
