package formal

import (
	"context"
	"os"
)

// Check elaborates the block with its properties, if any, without proving them: every name that they use must exist in the hardware.
func (b Block) Check(ctx context.Context, o Options) error {
	top := b.Design.Name()
	p := &prover{Block: b, spec: b.Specs[top]}
	if p.spec == nil {
		return nil
	}
	p.start()
	text, err := b.verilog(view{goals: p.open(func(string) bool { return true })})
	if err != nil {
		return err
	}
	dir, err := yosys(ctx, o, top, text, "-e", "implicitly declared", "-p", "read_verilog -formal block.v; hierarchy -check -top "+top+"; proc; flatten; opt_clean; check -assert")
	os.RemoveAll(dir)
	return err
}
