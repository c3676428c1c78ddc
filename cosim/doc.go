// Package cosim runs the generated hardware against the golden model: the same segments go into both, and every
// response, record, payload octet, executed access and word of memory that comes out is compared.
//
// Two ways lead in. A [DUT] takes single segments and hands back what they led to; vectors, captures and tests use it. [Run]
// is random traffic at full speed: stimulus, simulation and comparison overlap, and the outcome is reproducible from its seed.
package cosim
