package prove

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/formal"
)

// Files are the property files, by kind of block, and the specifications that they use, by module. A file may serve several kinds, whose names
// are joined by + in its own.
type Files struct {
	Specs      map[string]*formal.Spec
	References map[string]string
}

// Read reads the property files of a directory, and the specifications in its directory reference. The error joins all errors in
// them; valid files are returned nevertheless.
func Read(files fs.FS, dir string) (Files, error) {
	out := Files{map[string]*formal.Spec{}, map[string]string{}}
	var errs []error
	err := each(files, dir, func(name, text string) {
		s, err := formal.Parse(path.Join("gen", dir, name+".v"), text)
		if err != nil {
			errs = append(errs, err)
			return
		}
		for _, kind := range strings.Split(name, "+") {
			out.Specs[kind] = s
		}
	})
	if err == nil {
		err = each(files, path.Join(dir, "reference"), func(name, text string) { out.References[name] = text })
	}
	return out, errors.Join(append(errs, err)...)
}

// each calls f for each Verilog file of a directory, in order.
func each(files fs.FS, dir string, f func(name, text string)) error {
	names, err := fs.Glob(files, path.Join(dir, "*.v"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		f(strings.TrimSuffix(path.Base(name), ".v"), string(text))
	}
	return nil
}
