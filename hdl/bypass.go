package hdl

import (
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// bypassReads turns each read that sees the word being written into a plain read, the form of a block RAM, with registers beside it for
// the written word and for whether it is the word being read.
//
// The register NAME_q becomes a selection NAME of NAME_old_q and NAME_new_q.
func bypassReads(m *ir.Module) {
	used := map[string]bool{}
	for _, s := range m.Ports {
		used[s.Name] = true
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			used[it.Name] = true
		case *ir.Memory:
			used[it.Name] = true
		case *ir.Instance:
			used[it.Name] = true
		}
	}
	var items []ir.Item
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			if it.Read != nil && it.Read.ReadNew && len(it.Read.Memory.Writes) > 0 {
				items = append(items, splitRead(it, used)...)
			}
		case *ir.MemoryPorts:
			names, process := seeWrites(it.Memory)
			items = append(append(items, names...), it)
			if process != nil {
				items = append(items, process)
			}
			continue
		}
		items = append(items, it)
	}
	m.Items = items
}

// splitRead turns a read register into a selection between two.
func splitRead(target *ir.Signal, used map[string]bool) []ir.Item {
	read, base := target.Read, strings.TrimSuffix(target.Name, "_q")
	register := func(suffix string, width int, size ir.Size) *ir.Signal {
		return &ir.Signal{Name: base + suffix, Kind: ir.Register, Width: width, Size: size, PCs: target.PCs}
	}
	old, fresh := register("_old_q", target.Width, target.Size), register("_new_q", target.Width, target.Size)
	isNew := register("_is_new_q", 1, ir.Size{})
	old.Read, read.Target = read, old
	read.Fresh, read.IsNew = fresh, isNew
	target.Kind, target.Read = ir.Named, nil
	target.Driver = &ir.Expr{Op: ir.Mux, Width: target.Width, Args: []*ir.Expr{ref(isNew).e, ref(fresh).e, ref(old).e}}
	if !used[base] {
		target.Name = base
	}
	return []ir.Item{old, fresh, isNew}
}

// seeWrites is the process that loads the registers beside the reads of a memory. Expressions shared with the ports of the memory get
// names.
func seeWrites(mem *ir.Memory) (names []ir.Item, process ir.Item) {
	var body []ir.Stmt
	for _, r := range mem.Reads {
		if r.Fresh == nil {
			continue
		}
		w := mem.Writes[0]
		named := func(e **ir.Expr, name string) *ir.Expr {
			if (*e).Op != ir.Ref && (*e).Op != ir.Const {
				s := &ir.Signal{Name: name, Kind: ir.Named, Width: (*e).Width, Driver: *e, PCs: mem.PCs}
				names, *e = append(names, s), ref(s).e
			}
			return *e
		}
		base := strings.TrimSuffix(r.Target.Name, "_old_q")
		address := named(&r.Addr, base+"_addr")
		same := &ir.Expr{Op: ir.Eq, Width: 1, Args: []*ir.Expr{named(&w.Addr, mem.Name+"_write_addr"), address}}
		hit := folded(same)
		if !always(w.Enable) {
			hit = &ir.Expr{Op: ir.And, Width: 1, Args: []*ir.Expr{named(&w.Enable, mem.Name+"_write_enable"), hit}}
		}
		load := []ir.Stmt{&ir.Assign{Target: r.IsNew, Value: hit}, &ir.Assign{Target: r.Fresh, Value: named(&w.Data, mem.Name+"_write_data")}}
		if always(r.Enable) {
			body = append(body, load...)
		} else {
			body = append(body, &ir.If{Cond: r.Enable, Then: load})
		}
		r.ReadNew = false
	}
	if body == nil {
		return nil, nil
	}
	return names, &ir.Process{Body: body}
}

// always reports whether an enable is the constant 1.
func always(enable *ir.Expr) bool { return enable.Op == ir.Const && enable.Value.Sign() > 0 }
