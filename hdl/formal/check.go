package formal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Check reads the block with its properties, when it has some, and proves nothing: all that they name has to be in the hardware.
func (b Block) Check(ctx context.Context, o Options) error {
	top := b.Design.Top()
	p := &prover{Block: b, spec: b.Specs[top]}
	if p.spec == nil {
		return nil
	}
	p.start()
	text, err := b.verilog(view{goals: p.open(func(string) bool { return true })})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "rnicgen-prove-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "block.v"), []byte(text), 0o644); err != nil {
		return err
	}
	out, err := run(ctx, dir, o.Timeout, "yosys", "-q", "-e", "implicitly declared", "-p", "read_verilog -formal block.v; hierarchy -check -top "+top)
	if err != nil {
		return fmt.Errorf("%s: yosys: %w: %s", top, err, place(text, out))
	}
	return nil
}
