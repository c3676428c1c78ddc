package gen

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/gen/rdmap"
)

// Registers is the register map of the profile.
var Registers = Default().Engine().Profile.Registers().Registers

// RegisterPage describes the registers in Markdown.
func RegisterPage() string { return rdmap.RegisterPage() }

// FalconRegisterPage describes those of the profile falcon.
func FalconRegisterPage() string { return falcon.RegisterPage() }

// Registers is the register map of a configuration.
func (c Config) Registers() []engine.Register { return c.Engine().Profile.Registers().Registers }
