//go:build !linux

package tool

// exchange swaps work and dir.
func exchange(work, dir string) error { return swap(work, dir) }
