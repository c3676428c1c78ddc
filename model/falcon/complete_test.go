package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A CIE inside a message: the last packet follows with CE and without payload (I-74).
func TestCIEInMessage(t *testing.T) {
	for _, kind := range []spec.Kind{spec.Send, spec.Write} {
		s := newSetup(spec.QPRC, spec.Strong, spec.CompleteInError)
		s.window = 2
		i := newInitiator(t, s)
		i.work(falcon.WorkRequest{ID: 1, Kind: kind, Local: source(0, 5*mtu), Suffix: spec.Immediate, RKey: 1})
		i.work(falcon.WorkRequest{ID: 2, Kind: spec.Send})
		list := i.all()
		require.Len(t, list, 2)
		i.complete(list[0], spec.CompletedCIE, spec.AccessError)
		list = append(list, i.all()...)
		i.complete(list[1], spec.CompletedCIE, spec.InvalidRequest)
		list = append(list, i.all()...)
		require.Len(t, list, 4)
		last := list[2]
		assert.True(t, last.CE)
		assert.Equal(t, spec.Last, must(last.Opcode).Position)
		assert.Equal(t, kind, must(last.Opcode).Kind)
		assert.Empty(t, last.Payload)
		assert.EqualValues(t, 1, last.RMSN)
		assert.EqualValues(t, 3, last.SN)
		assert.EqualValues(t, 2, list[3].RMSN)
		i.ack(last)
		i.ack(list[3])
		done, _ := i.completions(0)
		require.Len(t, done, 2)
		assert.Equal(t, falcon.RemoteAccess, done[0].Status, "the first error")
		assert.Equal(t, falcon.Success, done[1].Status)
		assert.False(t, i.e.InError(i.qp[0]))
	}
}

func must(o spec.Opcode) *spec.Operation {
	row, _ := o.Operation()
	return row
}

// A local buffer that fails its check: before the first packet, and later (I-111).
func TestLocalError(t *testing.T) {
	for _, m := range []spec.ErrorMode{spec.Verbs, spec.CompleteInError} {
		for _, kind := range []spec.Kind{spec.Send, spec.Read} {
			s := newSetup(spec.QPRC, spec.Weak, m)
			s.window = 1
			i := newInitiator(t, s)
			place := source
			if kind == spec.Read {
				place = sink
			}
			i.work(falcon.WorkRequest{ID: 1, Kind: kind, Local: place(0, 3*mtu), RKey: 1})
			list := i.all()
			require.Len(t, list, 1)
			for index := 1; index <= 2; index++ {
				require.NoError(t, i.e.SetRegion(index, memory.Region{}))
			}
			finish := func(s sent) {
				if kind == spec.Read {
					i.complete(s, spec.CompletedLocalRsrc, 0)
				} else {
					i.ack(s)
				}
			}
			if kind == spec.Send {
				finish(list[0])
				list = i.all()
				if m == spec.Verbs {
					assert.Empty(t, list)
				} else {
					require.Len(t, list, 1)
					assert.True(t, list[0].CE)
					finish(list[0])
				}
			} else {
				i.respond(list[0], nil) // the sink fails
				assert.Empty(t, i.all(), "no more pulls")
				assert.EqualValues(t, 1, i.e.Broken(spec.SinkBuffer))
			}
			done, _ := i.completions(0)
			require.Len(t, done, 1)
			assert.Equal(t, falcon.LocalProtection, done[0].Status)
			assert.Equal(t, m == spec.Verbs, i.e.InError(i.qp[0]))
			events := i.events(0)
			assert.Equal(t, m == spec.Verbs, len(events) == 1)

			i.work(falcon.WorkRequest{ID: 2, Kind: spec.Send, Local: source(0, 1)})
			assert.Empty(t, i.all(), "nothing is sent")
			done, _ = i.completions(0)
			require.Len(t, done, 1)
			want := falcon.LocalProtection
			if m == spec.Verbs {
				want = falcon.Flushed
			}
			assert.Equal(t, want, done[0].Status)
		}
	}
}

// Every completion code in both error modes: RC and UD.
func TestCompletionCodes(t *testing.T) {
	for code := spec.Completion(1); code < 16; code++ {
		for _, m := range []spec.ErrorMode{spec.Verbs, spec.CompleteInError} {
			for _, kind := range []spec.QPType{spec.QPRC, spec.QPUD} {
				i := newInitiator(t, newSetup(kind, spec.Weak, m))
				i.work(falcon.WorkRequest{ID: 1, Kind: spec.Send, Local: source(0, 1)})
				i.work(falcon.WorkRequest{ID: 2, Kind: spec.Send, Local: source(0, 1)})
				list := i.all()
				i.complete(list[0], code, 0)
				ends := kind == spec.QPRC && (code != spec.CompletedCIE || m == spec.Verbs)
				assert.Equal(t, ends, i.e.InError(i.qp[0]), "%v %v %v", code, m, kind)
				i.ack(list[1])
				done, _ := i.completions(0)
				require.Len(t, done, 2)
				want := falcon.TransportError
				if code == spec.CompletedCIE || code == spec.CompletedNRE || code == spec.CompletedCID {
					want = falcon.RemoteError
				}
				assert.Equal(t, want, done[0].Status)
				events := i.events(0)
				if ends {
					assert.Equal(t, falcon.Flushed, done[1].Status)
					assert.Equal(t, []falcon.Event{{QP: i.qp[0], Code: code}}, events)
					assert.EqualValues(t, 1, i.e.Broken(spec.NotOutstanding), "the second completion is dropped")
				} else {
					assert.Equal(t, falcon.Success, done[1].Status)
					assert.Empty(t, events)
				}
			}
		}
	}
	// An acknowledgement, or a CIE, of a pull does not exist.
	for _, code := range []spec.Completion{spec.CompletedAck, spec.CompletedCIE} {
		i := newInitiator(t, newSetup(spec.QPRC, spec.Weak, spec.CompleteInError))
		i.work(falcon.WorkRequest{ID: 1, Kind: spec.Read, Local: sink(0, 8)})
		i.complete(i.all()[0], code, spec.AccessError)
		done, _ := i.completions(0)
		require.Len(t, done, 1)
		assert.Equal(t, falcon.TransportError, done[0].Status)
		assert.True(t, i.e.InError(i.qp[0]))
	}
	for ulp, want := range map[spec.ULPCode]falcon.Status{0x61: falcon.RemoteInvalid, 0x62: falcon.RemoteAccess, 0x63: falcon.RemoteOperation, 0x60: falcon.RemoteError} {
		i := newInitiator(t, newSetup(spec.QPXRCInitiator, spec.Weak, spec.CompleteInError))
		i.work(falcon.WorkRequest{ID: 1, Kind: spec.Send})
		i.complete(i.all()[0], spec.CompletedCIE, ulp)
		done, _ := i.completions(0)
		assert.Equal(t, want, done[0].Status)
	}
}
