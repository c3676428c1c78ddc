package coverage

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
)

// Registers are those of a device, by name.
type Registers interface {
	ReadRegister(name string) (uint32, error)
	WriteRegister(name string, value uint32) error
}

// CheckRegisters writes all bits of writable registers and reads them back; invalid accesses must be refused.
func CheckRegisters(c gen.Config, d Registers) error {
	for _, value := range []uint32{0, ^uint32(0), 0x5555_5555, 0xAAAA_AAAA, 0} {
		for _, r := range c.Registers() {
			if r.Access == engine.WriteOnly {
				if _, err := d.ReadRegister(r.Name); err == nil {
					return &MismatchError{"corners", "register " + r.Name + " can be read"}
				}
				continue
			}
			err := d.WriteRegister(r.Name, value)
			if (err == nil) != (r.Access == engine.ReadWrite) {
				return &MismatchError{"corners", fmt.Sprintf("writing register %s: %v", r.Name, err)}
			}
			is, err := d.ReadRegister(r.Name)
			if want := value & uint32(1<<r.Width-1); err == nil && r.Access == engine.ReadWrite && is != want {
				err = &MismatchError{"corners", fmt.Sprintf("register %s reads 0x%X; 0x%X was written", r.Name, is, want)}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
