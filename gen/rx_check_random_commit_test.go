package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// rxConfigOfCommit is a configuration with the extension commit.
func rxConfigOfCommit(streams, requests int) engine.Config {
	c := commitEngine(streams, 16)
	c.IRD, c.ORD, c.ReceiveDepth = requests, requests, 2*requests
	return c
}

// With the extension commit every message is delivered, every rule of its messages broken, and both outputs fill their buffers.
func TestRxCheckOfCommitUnderStalls(t *testing.T) {
	all := newRxSeen()
	everyChance(t, func(t *testing.T, idle, pressure int) {
		for _, of := range []struct{ streams, requests, rounds int }{{4, 2, 80}, {8, 16, 15}} {
			b := rxRandom(t, rxConfigOfCommit(of.streams, of.requests), idle, pressure, of.rounds, 14, &all)
			assert.Greater(t, b.came-b.discarded, b.came/2)
		}
	})
	for kind := range oneHot(6) {
		assert.NotZero(t, all.kinds[kind], "kind %d", kind)
	}
	for _, o := range spec.Commit.All(spec.Receives | spec.Requests | spec.Responses) {
		assert.NotZero(t, all.opcodes[o], spec.Commit.Title(o))
	}
	for _, r := range spec.Commit.Rules() {
		if !r.Header && r.Rule != spec.StreamNotOpen && r.On&(spec.Committing|spec.Replies&^spec.AtomicResponse) != 0 {
			assert.NotZero(t, all.rules[r.Rule], r.Name)
		}
	}
	assert.Len(t, all.faults, 5)
	assert.NotZero(t, all.differs)
	assert.Len(t, all.full, 2)
}
