package gen_test

import "github.com/rnicgen/rnicgen/gen"

// Kinds of requests and of sent messages, as numbered by request_order, tx_arbiter and the retire port: executors
// first.
var (
	kinds       = gen.Default().Engine().Kinds()
	kindRead    = int(kinds.Of("read"))
	kindAtomic  = int(kinds.Of("atomic"))
	kindEnd     = int(kinds.End)
	kindClose   = int(kinds.Close)
	kindMessage = int(kinds.Message)
)
