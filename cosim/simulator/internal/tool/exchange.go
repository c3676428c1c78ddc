package tool

import "os"

// swap exchanges work and dir by renaming; dir is briefly absent.
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
