package tool

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// cause strips the operation and the path from an error whose message names them anyway.
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

// scarce is the free space below which a linker, which maps its output file, may crash without a message.
const scarce = 1 << 16

// full reports whether a full disk caused an error.
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
