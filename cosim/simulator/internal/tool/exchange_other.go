//go:build !linux

package tool

// exchange puts work in the place of dir and dir in that of work.
func exchange(work, dir string) error { return swap(work, dir) }
