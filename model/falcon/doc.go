// Package falcon is the golden model of RDMA over Falcon: the OCP specifications RDMA over Falcon Transport 0.9 ("RoF") and
// Falcon Transport Protocol 0.9 ("FTP"), with the decisions I-22 to I-30, I-60 to I-76 and I-99 to I-121.
//
// An Engine is one node above Falcon: its QPs, connections, registered regions and memory. The interface to Falcon
// consists of transactions, each identified on either side by the CID of that side and by the RSN (I-107):
//
//	Transmit   initiator to Falcon: the next push or pull request of a QP, if credits and Xoff permit
//	Receive    Falcon to target:    a push or pull request, and the answer: acknowledgement or NACK
//	Respond    target to Falcon:    the next pull response
//	Answered   Falcon to initiator: a pull response
//	Complete   Falcon to initiator: the completion of a push, or of a pull that gets no response
//	Return     Falcon to either:    credits of a connection
//	SetXoff    Falcon to initiator: requests may not, and may, be sent
//
// Falcon delivers each request and completes each transaction at most once; a request with an RNR NACK is delivered again, on an
// ordered connection with all later ones in order. On an ordered connection requests, completions and responses are in
// the order of RSN. Package link has such a Falcon.
//
// Each call takes effect immediately and completely. What the calls leave open is only when they are made: which QP
// transmits next, when a response leaves, in which order an unordered connection delivers.
package falcon
