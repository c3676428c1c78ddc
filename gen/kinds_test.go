package gen_test

import "github.com/rnicgen/rnicgen/gen"

// Kinds of requests and of what is sent, as request_order, tx_arbiter and the retire port number them: first the
// executors.
var (
	kinds       = gen.Default().Engine().Kinds()
	kindRead    = int(kinds.Of("read"))
	kindAtomic  = int(kinds.Of("atomic"))
	kindEnd     = int(kinds.End)
	kindClose   = int(kinds.Close)
	kindMessage = int(kinds.Message)
)
