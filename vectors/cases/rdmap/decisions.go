package rdmap

// decides names decisions of docs/interpretations.md that the case rests on beyond those that follow from its segments.
func (c *Case) decides(ids ...string) *Case {
	c.Decides = append(c.Decides, ids...)
	return c
}
