package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// setupForkPorts are a set-up in, its parts out.
type setupForkPorts struct {
	Setup   hdl.Sink[any]
	Target  hdl.Source[falcon.Setup]
	Connect hdl.Source[falcon.Connect]
	Queue   hdl.Source[falcon.SharedQueue]
	Credits hdl.Source[falcon.DataCredits]
}

// A connection gets its credits for responses with the set-up of the QP that it belongs to, and once: not with that of an XRC target, which shares it,
// nor of a UD QP or a shared queue, whatever the registers say then.
func TestFalconSetUpGivesCredits(t *testing.T) {
	c := falconConfig(spec.Drawn, 64)
	fork := hdl.Block[setupForkPorts]{Kind: "setup_fork", Doc: "setup_fork is for tests.",
		Ports: setupForkPorts{Setup: hdl.NewSink(c.Profile.SetupTag(c)), Target: hdl.NewSource(falcon.SetupOf(c)), Connect: hdl.NewSource(falcon.ConnectOf(c)),
			Queue: hdl.NewSource(falcon.SharedQueueOf(c)), Credits: hdl.NewSource(falcon.DataCreditsOf(c))},
		Build: func(m *hdl.Module, p setupForkPorts) {
			falcon.ForkSetup(m, p.Setup, p.Target, p.Connect, p.Queue, p.Credits)
		}}
	b := openRig(t, fork, 1)
	b.stream("connect").chance, b.stream("queue").chance = 200, 200
	r := b.rand
	var credits []dataCreditBeat
	var connects, queues []int
	for range 300 {
		s := falconSetup{Stream: r.IntN(c.Streams), IsQueue: r.IntN(4) == 0, RSN: r.Uint32(), Data: dataCount{r.IntN(1 << 15), r.IntN(1 << 15)}}
		s.QP.CID, s.QP.Type = r.Uint32N(falconConnections), spec.QPType(r.IntN(4))
		send(b, "setup", s)
		switch {
		case s.IsQueue:
			queues = append(queues, s.Stream)
			continue
		case s.QP.Type == spec.QPRC || s.QP.Type == spec.QPXRCInitiator:
			credits = append(credits, dataCreditBeat{s.QP.CID, s.Data})
		}
		connects = append(connects, s.Stream)
	}
	b.rest(40)
	require.Greater(t, len(credits), 50)
	assert.Equal(t, credits, received[dataCreditBeat](b, "credits"))
	var got []int
	for _, x := range received[connectBeat](b, "connect") {
		got = append(got, x.Stream)
	}
	assert.Equal(t, connects, got)
	got = nil
	for _, x := range received[queueBeat](b, "queue") {
		got = append(got, x.Number)
	}
	assert.Equal(t, queues, got)
}
