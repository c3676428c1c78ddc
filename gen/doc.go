// Package gen makes an RNIC of a configuration: it checks the configuration, joins the blocks of the engine (gen/engine) with those of
// a profile (gen/rdmap), and writes the files. gen/block is the library that both are built on.
package gen
