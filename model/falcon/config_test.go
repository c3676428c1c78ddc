package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConfigErrors(t *testing.T) {
	for _, c := range []falcon.Config{{Regions: 0, BufferOctets: 1}, {Regions: 1}, {Regions: 1, BufferOctets: 1, BitOrder: 2}, {Regions: 1<<24 + 1, BufferOctets: 1}} {
		_, err := falcon.New(c)
		assert.ErrorContains(t, err, "allowed: ", "%+v", c)
	}
	e, err := falcon.New(falcon.Config{Regions: 1, BufferOctets: 1})
	require.NoError(t, err)
	require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: 1, Ordered: true, Window: 1}))
	require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: 2, Window: 1}))
	for _, c := range []falcon.ConnectionConfig{{CID: 1 << 24, Window: 1}, {CID: 3}, {CID: 1, Window: 1}} {
		assert.ErrorContains(t, e.CreateConnection(c), "allowed: ", "%+v", c)
	}
	require.NoError(t, e.CreateSRQ(1))
	assert.Error(t, e.CreateSRQ(1))
	assert.Error(t, e.CreateSRQ(1<<24))

	good := falcon.QPConfig{Number: 1, Type: spec.QPRC, CID: 1, MTU: 8, IRRQ: 1, ORD: 256, SendDepth: 1}
	for name, change := range map[string]func(c *falcon.QPConfig){
		"number":              func(c *falcon.QPConfig) { c.Number = 1 << 24 },
		"remote":              func(c *falcon.QPConfig) { c.Remote = 1 << 24 },
		"type":                func(c *falcon.QPConfig) { c.Type = 4 },
		"fourth mode":         func(c *falcon.QPConfig) { c.Ordering = 3 },
		"error mode":          func(c *falcon.QPConfig) { c.Errors = 2 },
		"mtu":                 func(c *falcon.QPConfig) { c.MTU = 7 },
		"irrq":                func(c *falcon.QPConfig) { c.IRRQ = 257 },
		"ord":                 func(c *falcon.QPConfig) { c.ORD = 0 },
		"depth":               func(c *falcon.QPConfig) { c.SendDepth = 0 },
		"timeout":             func(c *falcon.QPConfig) { c.RNRTimeout = 32 },
		"no connection":       func(c *falcon.QPConfig) { c.CID = 9 },
		"weak on ordered":     func(c *falcon.QPConfig) { c.Ordering = spec.Weak },
		"strong on the other": func(c *falcon.QPConfig) { c.CID = 2 },
		"unordered verbs":     func(c *falcon.QPConfig) { c.Ordering, c.CID = spec.Unordered, 2 },
		"srq":                 func(c *falcon.QPConfig) { c.SharedReceive = true },
	} {
		c := good
		change(&c)
		assert.ErrorContains(t, e.CreateQP(c), "allowed: ", name)
	}
	require.NoError(t, e.CreateQP(good))
	assert.Error(t, e.CreateQP(good), "twice")
	second := good
	second.Number = 2
	assert.ErrorContains(t, e.CreateQP(second), "a connection of its own")
	for n, q := range []spec.QPType{spec.QPXRCInitiator, spec.QPXRCTarget, spec.QPXRCTarget} {
		c := good
		c.Number, c.Type, c.CID, c.Ordering = uint32(10+n), q, 2, spec.Weak
		assert.Equal(t, n < 2, e.CreateQP(c) == nil, "one XRC initiator and one target share a connection")
	}
}

// What cannot be posted, by QP type and ordering (RoF 6.4).
func TestPostErrors(t *testing.T) {
	type work = falcon.WorkRequest
	list := map[string]work{
		"send":             {Kind: spec.Send, Local: source(0, mtu)},
		"long send":        {Kind: spec.Send, Local: source(0, mtu+1)},
		"write":            {Kind: spec.Write, Local: source(0, 10*mtu)},
		"longest write":    {Kind: spec.Write, Local: append(source(0, 1<<31), source(0, 1<<31-1)...)},
		"too long write":   {Kind: spec.Write, Local: append(source(0, 1<<31), source(0, 1<<31)...)},
		"immediate":        {Kind: spec.Write, Local: source(0, mtu), Suffix: spec.Immediate},
		"long immediate":   {Kind: spec.Write, Local: source(0, mtu+1), Suffix: spec.Immediate},
		"read":             {Kind: spec.Read, Local: sink(0, 10*mtu)},
		"atomic":           {Kind: spec.CmpSwap, Local: sink(0, 8)},
		"invalidate":       {Kind: spec.Send, Suffix: spec.Invalidate},
		"write invalidate": {Kind: spec.Write, Suffix: spec.Invalidate},
		"read immediate":   {Kind: spec.Read, Suffix: spec.Immediate},
		"short atomic":     {Kind: spec.FetchAdd, Local: sink(0, 7)},
		"split atomic":     {Kind: spec.FetchAdd, Local: append(sink(0, 4), sink(4, 4)...)},
		"two kinds":        {Kind: spec.Atomic, Local: sink(0, 8)},
		"nothing":          {},
	}
	never := []string{"too long write", "write invalidate", "read immediate", "short atomic", "split atomic", "two kinds", "nothing"}
	for _, s := range setups {
		bad := append([]string{}, never...)
		if s.kind == spec.QPUD {
			bad = append(bad, "long send", "write", "longest write", "immediate", "long immediate", "read", "atomic", "invalidate")
		} else if s.ordering == spec.Unordered {
			bad = append(bad, "long send", "long immediate")
		}
		b := newBench(t, s, 1)
		for name, r := range list {
			r.QP, r.Address.CID = b.qp[0], b.cid[0]
			err := b.node[0].Post(r)
			refused := false
			for _, n := range bad {
				refused = refused || n == name
			}
			if refused {
				assert.ErrorContains(t, err, "allowed: ", "%v %s", s, name)
			} else {
				assert.NoError(t, err, "%v %s", s, name)
			}
		}
		if s.kind == spec.QPXRCInitiator {
			assert.Error(t, b.node[0].Post(falcon.WorkRequest{QP: b.to[0], Kind: spec.Send}), "an XRC target")
		}
	}
	b := newBench(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs), 1)
	for range 1000 {
		require.NoError(t, b.node[0].Post(falcon.WorkRequest{QP: b.qp[0], Kind: spec.Send}))
	}
	assert.ErrorContains(t, b.node[0].Post(falcon.WorkRequest{QP: b.qp[0], Kind: spec.Send}), "SendDepth")
}

func TestStatusNames(t *testing.T) {
	seen := map[string]bool{}
	for s := falcon.Success; s <= falcon.TransportError; s++ {
		assert.False(t, seen[s.String()])
		seen[s.String()] = true
	}
	assert.Equal(t, "status(11)", (falcon.TransportError + 1).String())
}
