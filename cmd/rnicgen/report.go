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

// output is standard output. It keeps the first error until the end of the run, so that lost output is always reported.
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

// reason returns an error without its operation and path.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// checkJSON refuses a report file that cannot be written, before any work.
func (a *app) checkJSON() error {
	if a.json == "" || a.json == "-" {
		return nil
	}
	const allowed = "allowed: a file that can be written, or - for standard output"
	info, err := os.Stat(a.json)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("--json: %s is a directory; %s", a.json, allowed)
	case err == nil && !info.Mode().IsRegular(): // a pipe or device: opening it may block or have effects
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
		return fmt.Errorf("--json: %s cannot be created: %w; %s", a.json, reason(err), allowed)
	}
	f.Close()
	return os.Remove(f.Name())
}

// temporary is the name pattern of a temporary file next to path.
func temporary(path string) string { return "." + filepath.Base(path) + ".new-*" }

// report writes v as JSON to the file of --json. If writing fails, for example because the disk is full, the rest of
// the output is still printed and the run then ends with an error.
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

// reportRun is report, or partial if the run was interrupted.
func (a *app) reportRun(v any, interrupted bool) error {
	if interrupted {
		return a.partial(v)
	}
	return a.report(v)
}

// partial writes the report of an interrupted run: v with a leading "interrupted": true; a list is put under "report".
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

// writeWhole writes a file completely or not at all. A pipe or device is written directly.
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
