package hdl_test

import "github.com/rnicgen/rnicgen/hdl"

// bit returns a value of one bit.
func (c *chooser) bit() hdl.Value { return c.value(1) }

// condition returns a bit that is not constant.
func (c *chooser) condition() hdl.Value {
	v := c.pool[c.pick(0, len(c.pool)-1, "condition")]
	return v.Bit(c.pick(0, v.Width()-1, "bit")).Xor(c.bit())
}

// value returns a readable value, sliced or extended to a width.
func (c *chooser) value(width int) hdl.Value {
	if c.pick(0, 2, "fresh") == 0 {
		return c.expr(width, 2)
	}
	return c.fit(c.pool[c.pick(0, len(c.pool)-1, "value")], width)
}

func (c *chooser) fit(v hdl.Value, width int) hdl.Value {
	switch n := v.Width(); {
	case n == width:
		return v
	case n > width:
		if c.pick(0, 1, "cut") == 0 {
			return v.Truncate(width)
		}
		lo := c.pick(0, n-width, "lo")
		return v.Slice(lo+width-1, lo)
	case width%n == 0 && c.pick(0, 1, "spread") == 1:
		return v.Replicate(width / n)
	case c.pick(0, 1, "extend") == 0:
		return v.ZeroExtend(width)
	}
	return v.SignExtend(width)
}

// expr returns an expression of a width. Its operands are slices of others, so that every kind of value
// is sliced.
func (c *chooser) expr(width, depth int) hdl.Value {
	if depth == 0 {
		return c.fit(c.pool[c.pick(0, len(c.pool)-1, "value")], width)
	}
	same := func() hdl.Value { return c.expr(width, depth-1) }
	any := func() hdl.Value { return c.expr(c.width(), depth-1) }
	one := func() hdl.Value { return c.expr(1, depth-1) }
	op := c.pick(0, 19, "op")
	if width == 1 && op < 10 {
		return c.test(op, any)
	}
	switch op {
	case 0:
		return same().Not()
	case 1:
		return same().And(same())
	case 2:
		return same().Or(same())
	case 3:
		return same().Xor(same())
	case 4:
		return same().Add(same())
	case 5:
		return same().Sub(same())
	case 6:
		return same().ShiftLeft(any())
	case 7:
		return same().ShiftRight(any())
	case 8:
		return hdl.Mux(one(), same(), same())
	case 9:
		return hdl.Select(same(), hdl.When{Cond: one(), Then: same()}, hdl.When{Cond: one(), Then: same()})
	case 10:
		return c.constant(width)
	case 11:
		octets := (width + 7) / 8 * 8
		return c.fit(c.expr(octets, depth-1).ReverseOctets(), width)
	case 12:
		return c.fit(hdl.Cat(any(), any(), any()), width)
	case 13:
		if width > 1 {
			low := c.pick(1, width-1, "low part")
			return hdl.Cat(c.expr(width-low, depth-1), c.expr(low, depth-1))
		}
	case 14:
		n := c.pick(1, 9, "group")
		return c.fit(c.expr((width+n-1)/n, depth-1).Replicate(n), width)
	case 15:
		return same().Plus(1)
	case 16:
		return c.constant(width).Sub(same())
	case 17:
		a := same()
		return hdl.Mux(one(), a.Add(same()), a)
	case 18:
		return c.fit(c.expr(width+c.pick(1, 9, "more"), depth-1), width)
	}
	return c.fit(c.expr(c.width(), depth-1), width)
}

// test returns an expression of one bit.
func (c *chooser) test(op int, any func() hdl.Value) hdl.Value {
	a := any()
	switch op {
	case 0:
		return a.Eq(c.fit(any(), a.Width()))
	case 1:
		return a.Ne(c.fit(any(), a.Width()))
	case 2:
		return a.Lt(c.fit(any(), a.Width()))
	case 3:
		return a.Le(c.fit(any(), a.Width()))
	case 4:
		return a.Any()
	case 5:
		return a.All()
	case 6:
		return a.Parity()
	case 7:
		return a.IsZero()
	case 8:
		return hdl.AllOf(a.Any(), a.All().Not(), any().Parity().Not())
	}
	return a.Is(uint64(c.pick(0, 1, "is")))
}

func (c *chooser) constant(width int) hdl.Value {
	switch c.pick(0, 3, "constant") {
	case 0:
		return hdl.Zero(width)
	case 1:
		return hdl.Ones(width)
	case 2:
		return hdl.Hex(width, uint64(c.pick(0, 1, "small")))
	}
	return hdl.Ones(width).Sub(hdl.Const(width, uint64(c.pick(0, 1, "less"))))
}
