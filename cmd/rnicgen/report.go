package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// output is standard output. It keeps the first error, for the end of the run: what is printed is not lost without a word.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(text []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(text)
	if err != nil {
		o.err = fmt.Errorf("standard output: %w", reason(err))
	}
	return n, o.err
}

// reason is an error without the operation and the path.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// checkJSON refuses a report file that cannot be written, before the work is done.
func (a *app) checkJSON() error {
	if a.json == "" || a.json == "-" {
		return nil
	}
	const allowed = "allowed: a file that can be written, or - for standard output"
	info, err := os.Stat(a.json)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("--json: %s is a directory; %s", a.json, allowed)
	case err == nil && !info.Mode().IsRegular(): // a pipe, a device: to open it may wait, or mean something
		return nil
	case err == nil:
		f, err := os.OpenFile(a.json, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("--json: %s: %w; %s", a.json, reason(err), allowed)
		}
		f.Close()
	}
	f, err := os.CreateTemp(filepath.Dir(a.json), temporary(a.json))
	if err != nil {
		return fmt.Errorf("--json: %s cannot be made: %w; %s", a.json, reason(err), allowed)
	}
	f.Close()
	return os.Remove(f.Name())
}

// temporary is the pattern of a name beside a file's.
func temporary(path string) string { return "." + filepath.Base(path) + ".new-*" }

// report writes v as JSON where --json says. A file that cannot be written, as the disk has become full, ends the run with an error
// when all else that it has to say is said.
func (a *app) report(v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil || a.json == "" {
		return err
	}
	text = append(text, '\n')
	if a.json == "-" {
		_, _ = a.out.Write(text) // which keeps the error
		return nil
	}
	if err := writeWhole(a.json, text); err != nil {
		a.late = fmt.Errorf("--json: %s is not written: %w", a.json, reason(err))
	}
	return nil
}

// partial writes the report of a run that has ended early: v with "interrupted": true in front; a list is under "report".
func (a *app) partial(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	const mark = `{"interrupted":true`
	switch inner, is := bytes.CutPrefix(text, []byte("{")); {
	case !is:
		text = fmt.Appendf(nil, `%s,"report":%s}`, mark, text)
	case string(inner) == "}":
		text = []byte(mark + "}")
	default:
		text = fmt.Appendf(nil, `%s,%s`, mark, inner)
	}
	return a.report(json.RawMessage(text))
}

// writeWhole writes a file whole or not at all. What is no regular file is written as it is.
func writeWhole(path string, text []byte) (err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, text, 0o644)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	f, err := os.CreateTemp(filepath.Dir(path), temporary(path))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
