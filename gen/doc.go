// Package gen generates an RNIC from a configuration: it checks the configuration, connects the blocks of the engine (gen/engine) and of
// a profile (gen/rdmap), and returns the files. Both are built on the library gen/block.
package gen
