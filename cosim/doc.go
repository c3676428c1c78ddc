// Package cosim contains what engines and users of the generated hardware share: how engines drive a compiled design, access to its
// registers by name, and the search for a short run that shows a fault. Package rnic runs the hardware against the golden model.
package cosim
