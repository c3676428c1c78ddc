package prove

// Steady reports whether the beats of a block's stream stay until accepted; its file may exempt a stream.
func (f Files) Steady(block, stream string) bool {
	return f.Specs[block].Excuse(stream) == ""
}
