package prove

// Steady tells whether the offers of a block's stream stay until they are taken, which its file may excuse it from.
func (f Files) Steady(block, stream string) bool {
	return f.Specs[block].Excuse(stream) == ""
}
