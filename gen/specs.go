package gen

import "embed"

// Specs are the property files and, in reference, the specifications in Verilog that they speak of.
//
//go:embed testdata/spec
var Specs embed.FS

// SpecDir is where they are.
const SpecDir = "testdata/spec"
