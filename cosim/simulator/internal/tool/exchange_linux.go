package tool

import "golang.org/x/sys/unix"

// exchange swaps work and dir, atomically if the file system supports it.
func exchange(work, dir string) error {
	err := unix.Renameat2(unix.AT_FDCWD, work, unix.AT_FDCWD, dir, unix.RENAME_EXCHANGE)
	if err == unix.EINVAL || err == unix.ENOSYS {
		return swap(work, dir)
	}
	return err
}
