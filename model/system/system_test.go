package system

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/rdmap"
)

var testTiming = TimingOf(64, 0)

var testEngine = Engine{BusBytes: 64, AtomicDepth: 512, EngineConfig: rdmap.EngineConfig{Streams: 64, STags: 16, IRD: 8, ORD: 8, ReceiveDepth: 16, SendDepth: 16, MaxPayload: 1024}}

func readWorkload(t *testing.T, text string) Workload {
	w, err := ReadWorkload(bytes.NewReader([]byte(text)))
	require.NoError(t, err)
	return w
}

func run(t *testing.T, w Workload, parallel bool) *Report {
	s, err := New(w, Options{Config: testEngine, Timing: testTiming, Parallel: parallel})
	require.NoError(t, err)
	r, err := s.Run()
	require.NoError(t, err)
	return r
}

func TestShipped(t *testing.T) {
	for _, name := range Shipped() {
		t.Run(name, func(t *testing.T) {
			text, err := OpenShipped(name)
			require.NoError(t, err)
			w := readWorkload(t, string(text))
			r := run(t, w, false)
			assert.NotEmpty(t, r.Rows)
			for _, row := range r.Rows {
				t.Logf("%+v", row)
			}
			again := run(t, w, true)
			assert.Equal(t, r, again)
		})
	}
}
