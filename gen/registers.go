package gen

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/rdmap"
)

// Registers is the register map of the profile.
var Registers = Default().Engine().Profile.Registers().Registers

// RegisterPage describes the registers in Markdown.
func RegisterPage() string { return rdmap.RegisterPage() }

// Registers is the register map of a configuration.
func (c Config) Registers() []engine.Register { return c.Engine().Profile.Registers().Registers }
