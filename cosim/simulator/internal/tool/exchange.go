package tool

import "os"

// swap puts work in the place of dir, which is not there for a moment between, and what was there in the place of work.
func swap(work, dir string) error {
	old := work + ".old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(work, dir); err != nil {
		_ = os.Rename(old, dir)
		return err
	}
	return os.Rename(old, work)
}
