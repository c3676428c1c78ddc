package falcon

// Statuses of completions: values of outcome.Status.
const (
	statusSuccess    = iota
	statusFlushed    // the QP went to Error first
	statusProtection // a buffer of the request does not allow the access, or memory refused it
	statusLength     // a receive: the message does not fit, or octets are missing
	statusPeer       // a receive: its message ends in error for another reason
	statusInvalid    // CIE with an invalid request
	statusAccess     // CIE with an access error
	statusOperation  // CIE with an operation error
	statusRemote     // another NACK, or a response with CE
	statusResponse   // a response that does not fit (I-106)
	statusTransport  // Falcon could not complete a transaction

	statusBits = 4
)
