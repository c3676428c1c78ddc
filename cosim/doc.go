// Package cosim contains what engines and users of the generated hardware share: how engines drive a compiled design, and access to
// its registers by name. Package rnic runs the hardware against the golden model.
package cosim
