package tool

import "golang.org/x/sys/unix"

// exchange puts work in the place of dir and dir in that of work, in one step where the file system can.
func exchange(work, dir string) error {
	err := unix.Renameat2(unix.AT_FDCWD, work, unix.AT_FDCWD, dir, unix.RENAME_EXCHANGE)
	if err == unix.EINVAL || err == unix.ENOSYS {
		return swap(work, dir)
	}
	return err
}
