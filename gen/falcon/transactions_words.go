package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// fate is the state of a QP.
type fate struct {
	Failed hdl.Value // it is in Error
	Pulls  hdl.Value // RMSN of the next pull if none is open
}

// messageOutcome is what is known of a message in progress; 0 of one of which nothing is over.
type messageOutcome struct {
	Done   hdl.Value // it is complete, and counted as such
	Closed hdl.Value // low bits of the number of its transactions that are closed
	Status hdl.Value // its first error
}

// reportState is how far the messages of a QP are reported.
type reportState struct {
	Reported hdl.Value // messages
	Early    hdl.Value // complete messages after the oldest one
}

func fateOf(c engine.Config) fate { return fate{hdl.Bits(1), hdl.Bits(pullBits(c) + 1)} }
func messageOutcomeOf(c engine.Config) messageOutcome {
	return messageOutcome{hdl.Bits(1), hdl.Bits(openBits(c)), hdl.Bits(statusBits)}
}
func reportStateOf(c engine.Config) reportState {
	n := hdl.Bits(numberBits(c))
	return reportState{n, n}
}

// mode says which errors end a QP.
type mode struct {
	Verbs    hdl.Value // its errors are Verbs compatible
	Datagram hdl.Value // it is a UD QP
}

func modeOf() mode { return mode{hdl.Bits(1), hdl.Bits(1)} }

// words declares the words of QPs that are read when the QP of an event is known, and decided two stages later. The result is the oldest
// message of a QP that is named; one that is decided in the next two cycles is missed, and nothing is decided on it then.
func (u *transactions) words(valid hdl.Value, stream *block.Signal) hdl.Value {
	m, c := u.Module, u.c
	failed := hdl.Pack(fate{hdl.Ones(1), hdl.Zero(pullBits(c) + 1)})
	u.fates = block.NewContext(m, "fates", failed, u.sweep).Stage(u.pipe, ownerKnown, stream)
	u.progress = block.NewContext(m, "progress", hdl.Zero(hdl.PackedWidth(reportStateOf(c))), u.sweep).Stage(u.pipe, ownerKnown, stream)
	oldest := hdl.Unpack(reportStateOf(c), u.progress.Latest("poked", valid, stream.At(ownerRead)))
	m.Unused("only the number of the oldest message matters", oldest.Early)
	return oldest.Reported
}

// outcomeWords declares the words of messages, which follow with those of QPs.
func (u *transactions) outcomeWords(slot *block.Signal) block.Stage {
	bits := block.IndexWidth(u.c.Streams) + block.IndexWidth(u.c.SendDepth)
	return block.NewContext(u.Module, "outcomes", hdl.Zero(hdl.PackedWidth(messageOutcomeOf(u.c))), unswept(bits)).Stage(u.pipe, ownerKnown, slot)
}
