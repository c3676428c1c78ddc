package gen_test

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
)

// Kinds of requests as numbered by request_order, kinds of sent messages as numbered by tx_arbiter and the retire port, and numbers of
// executors.
const (
	kindEnd     = int(engine.KindEnd)
	kindClose   = int(engine.KindClose)
	kindMessage = int(engine.KindMessage)
)

var (
	kinds = gen.Default().Engine().Kinds()

	kindRead   = int(kinds.Request("read"))
	kindAtomic = int(kinds.Request("atomic"))

	kindFarAtomic = kindAtomic + 1 // with far memory

	sentRead   = int(kinds.Response("read"))
	sentAtomic = int(kinds.Response("atomic"))

	executorRead   = int(kinds.Executor("read"))
	executorAtomic = int(kinds.Executor("atomic"))
)

// endsStream reports whether a kind of request ends the stream.
func endsStream(kind int) bool { return kind == kindEnd || kind == kindClose }
