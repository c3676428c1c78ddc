package simulator

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// TraceError reports a waveform file that cannot be written.
type TraceError struct {
	Path string
	Err  error
}

func (e *TraceError) Error() string {
	return fmt.Sprintf("trace file %s cannot be written: %v", e.Path, e.Err)
}

func (e *TraceError) Unwrap() error { return e.Err }

// NewTraceError makes a *TraceError from an error that may contain the path, too.
func NewTraceError(path string, err error) error {
	var named *fs.PathError
	if errors.As(err, &named) {
		err = named.Err
	}
	return &TraceError{path, err}
}

// CheckTrace checks early that the waveform file is a .vcd or .fst and can be written. It does not change an existing file.
func (o Options) CheckTrace() error {
	if ext := filepath.Ext(o.Trace); o.Trace == "" {
		return nil
	} else if ext != ".vcd" && ext != ".fst" {
		return fmt.Errorf("trace file %s: the name must end in .vcd or .fst", o.Trace)
	}
	_, err := os.Stat(o.Trace)
	fresh := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(o.Trace, os.O_WRONLY|os.O_CREATE, 0o644)
	if err == nil {
		err = f.Close()
	}
	if err == nil && fresh {
		err = os.Remove(o.Trace)
	}
	if err != nil {
		return NewTraceError(o.Trace, err)
	}
	return nil
}

// Traced checks a finished waveform: some simulators silently continue when the disk is full. An incomplete file is removed.
func (o Options) Traced(err error) error {
	if o.Trace == "" {
		return err
	}
	if err == nil {
		if err = whole(o.Trace); err == nil {
			return nil
		}
		err = NewTraceError(o.Trace, err)
	}
	_ = os.Remove(o.Trace)
	return err
}

var errCutShort = errors.New("it is incomplete; the disk is full or failing")

// whole returns an error if a waveform file is incomplete.
func whole(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	var disk syscall.Statfs_t
	switch {
	case syscall.Statfs(filepath.Dir(path), &disk) == nil && disk.Bavail == 0:
		return syscall.ENOSPC
	case filepath.Ext(path) == ".fst":
		return wholeFST(f, info.Size())
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil || last[0] != '\n' {
		return errCutShort
	}
	return nil
}

// Blocks of an FST file: each starts with an octet of type, and eight octets, most significant first, with the length of the rest.
const (
	fstGeometry  = 3
	fstHierarchy = 4 // to 7, by compression
)

// wholeFST walks the blocks, which must end at the end of the file. The geometry and the hierarchy are written last.
func wholeFST(f *os.File, size int64) error {
	var geometry, hierarchy bool
	for at := int64(0); at < size; {
		var head [9]byte
		if _, err := f.ReadAt(head[:], at); err != nil {
			return errCutShort
		}
		length := int64(binary.BigEndian.Uint64(head[1:]))
		if length < 8 || length > size-at-1 {
			return errCutShort
		}
		geometry = geometry || head[0] == fstGeometry
		hierarchy = hierarchy || head[0] >= fstHierarchy && head[0] <= fstHierarchy+3 && head[0] != 5
		at += 1 + length
	}
	if !geometry || !hierarchy {
		return errCutShort
	}
	return nil
}
