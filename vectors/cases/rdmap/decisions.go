package rdmap

// decides names decisions of docs/interpretations.md on which the case depends, beyond those implied by its segments.
func (c *Case) decides(ids ...string) *Case {
	c.Decides = append(c.Decides, ids...)
	return c
}
