package tool

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// cause is an error without the operation and the path, which the message names anyway.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// scarce is so little space that a linker, which maps what it writes, dies of it without a word.
const scarce = 1 << 16

// full reports whether an error came of a full disk.
func full(dir string, err error) bool {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	var failed *Error
	if !errors.As(err, &failed) {
		return false
	}
	var disk syscall.Statfs_t
	return strings.Contains(failed.Stderr, syscall.ENOSPC.Error()) || strings.Contains(failed.Stderr, "No space left") ||
		syscall.Statfs(dir, &disk) == nil && disk.Bavail*uint64(disk.Bsize) < scarce
}
