// Package spec is RDMA over Falcon as data: headers, packet types, modes, and one row per check of a received packet, from
// the OCP specifications RDMA over Falcon Transport 0.9 ("RoF") and Falcon Transport Protocol 0.9 ("FTP").
//
// The golden model and the hardware both read it, and nothing else of each other. It contains no decisions: each of the
// two determines independently whether a rule is broken. The header tables are part of it, since nothing that hardware
// does not need, such as a codec, has to lie beside them; the codec is package packet.
package spec
