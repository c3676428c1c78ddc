package gen

import "embed"

// Specs are the property files and, in reference, the Verilog specifications that they refer to.
//
//go:embed testdata/spec
var Specs embed.FS

// SpecDir is their directory in Specs.
const SpecDir = "testdata/spec"
