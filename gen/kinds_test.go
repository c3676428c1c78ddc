package gen_test

// Kinds of requests and of what is sent, as request_order, tx_arbiter and the retire port number them.
const (
	kindRead = iota
	kindAtomic
	kindEnd
	kindClose
	kindMessage
)
