package prove

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

// Block is a module to prove.
type Block struct {
	Name, Kind string
	formal.Block
	First bool // the first of its kind, on which the controls run
}

// All returns the blocks of every profile, in small configurations.
func All(files Files) ([]Block, error) {
	return Blocks(files, Configs()...)
}

// Blocks returns every module of the configurations with its property files, each module once, children before parents. One that an
// extension, a profile or far memory changes, but not its name, has that after its name. Forms of blocks that no property file covers are left out.
func Blocks(files Files, configs ...gen.Config) ([]Block, error) {
	list, err := groups(configs...)
	if err != nil {
		return nil, err
	}
	return blocks(files, list)
}

func blocks(files Files, groups []group) (out []Block, err error) {
	seen, known := map[string]bool{}, map[string]string{}
	for _, g := range groups {
		specs := map[string]*formal.Spec{}
		for _, m := range g.modules {
			if s := files.Specs[m.Top()]; s != nil && g.covers(m.Top()) {
				if specs[m.Name()], err = s.With(g.lists); err != nil {
					return nil, err
				}
			}
		}
		for _, m := range g.modules {
			// A parent that differs only in the names of its children is not proven again.
			name, text, kind := m.Name(), strings.ReplaceAll(printed(m), "_draft00", ""), m.Top()
			before, twice := known[name]
			for _, f := range g.form {
				if twice && before != text {
					name += "_" + f
					before, twice = known[name]
				}
			}
			if twice && before != text {
				return nil, fmt.Errorf("%s is not the same in two configurations", name)
			}
			if known[name] = text; twice || !g.covers(kind) {
				continue
			}
			out = append(out, Block{name, kind, formal.Block{Design: m, Specs: specs, References: files.References, Options: g.macros}, !seen[kind]})
			seen[kind] = true
		}
	}
	return out, nil
}

// printed is the text of a design's top.
func printed(d *hdl.Design) string {
	files := d.Specialised()
	return files[len(files)-1].Text
}

// Complete reports kinds of block without a property file, unused property files and specifications, controls that do not apply,
// and assumptions that name a property that does not exist or does not show them.
func Complete(files Files, blocks []Block) error {
	var errs []error
	kinds, used := map[string]bool{}, map[string]bool{}
	for _, b := range blocks {
		s := files.Specs[b.Kind]
		_, exempt := without[b.Kind]
		switch {
		case !b.First || s == nil && exempt:
		case s == nil:
			errs = append(errs, fmt.Errorf("%s (%s): there are no properties; write gen/%s/%s.v", b.Kind, b.Name, gen.SpecDir, b.Kind))
		case exempt:
			errs = append(errs, fmt.Errorf("%s has properties in gen/%s/%s.v, and is said to be without", b.Kind, gen.SpecDir, b.Kind))
		default:
			errs = append(errs, s.CheckControls(printed(b.Design)))
		}
		kinds[b.Kind] = true
	}
	for _, kind := range slices.Sorted(maps.Keys(files.Specs)) {
		if !kinds[kind] {
			errs = append(errs, fmt.Errorf("gen/%s/%s.v: there is no block of this kind", gen.SpecDir, kind))
		}
		errs = append(errs, files.Specs[kind].CheckShown(func(other string) *formal.Spec { return files.Specs[other] }))
		for _, name := range files.Specs[kind].Uses {
			if _, is := files.References[name]; !is {
				errs = append(errs, fmt.Errorf("gen/%s/%s.v uses %s: there is no gen/%s/reference/%s.v", gen.SpecDir, kind, name, gen.SpecDir, name))
			}
			used[name] = true
		}
	}
	errs = append(errs, circles(files))
	for _, name := range slices.Sorted(maps.Keys(files.References)) {
		if !used[name] {
			errs = append(errs, fmt.Errorf("gen/%s/reference/%s.v: no property file uses it", gen.SpecDir, name))
		}
	}
	return errors.Join(errs...)
}

// circles reports kinds of block that rest on each other: an assumption of one is shown by a property that assumes something shown
// by the other.
func circles(files Files) error {
	of := func(kind string) *formal.Spec { return files.Specs[kind] }
	var path []string
	done := map[string]bool{}
	var visit func(kind string) error
	visit = func(kind string) error {
		if i := slices.Index(path, kind); i >= 0 {
			return fmt.Errorf("gen/%s: assumptions are shown in a circle, %s; mark a property that needs none of them: // alone NAME",
				gen.SpecDir, strings.Join(append(path[i:], kind), " rests on "))
		}
		if done[kind] {
			return nil
		}
		path = append(path, kind)
		for _, next := range of(kind).RestsOn(of) {
			if err := visit(next); err != nil {
				return err
			}
		}
		path, done[kind] = path[:len(path)-1], true
		return nil
	}
	for _, kind := range slices.Sorted(maps.Keys(files.Specs)) {
		if err := visit(kind); err != nil {
			return err
		}
	}
	return nil
}
