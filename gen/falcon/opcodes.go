package falcon

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// opcode is an opcode taken apart: its operation, 5 bits, with the constants of operations by number, and 1 bit per service.
type opcode struct {
	m         *hdl.Module
	operation hdl.Value
	names     map[int]hdl.Value
	services  map[spec.Service]hdl.Value
}

const operationBits = 5

var allServices = []spec.Service{spec.RC, spec.UD, spec.XRC}

// number is the operation of a row's opcode.
func number(row *spec.Operation) int { return int(row.Opcode) & (1<<operationBits - 1) }

// rows are the packet types.
func rows() (list []*spec.Operation) {
	for i := range spec.Operations {
		list = append(list, &spec.Operations[i])
	}
	return list
}

// newOpcode declares the constants and signals.
func newOpcode(m *hdl.Module, value hdl.Value) opcode {
	o := opcode{m: m, names: map[int]hdl.Value{}, services: map[spec.Service]hdl.Value{}}
	for _, row := range rows() {
		if _, is := o.names[number(row)]; !is {
			o.names[number(row)] = m.Constant(strings.ToUpper(row.Name), operationBits, uint64(number(row)))
		}
	}
	for _, s := range allServices {
		code := m.Constant("SERVICE_"+s.String(), spec.OpcodeBits-operationBits, uint64(s))
		o.services[s] = m.Let("is_"+strings.ToLower(s.String()), value.Slice(spec.OpcodeBits-1, operationBits).Eq(code))
	}
	o.operation = m.Let("operation", value.Truncate(operationBits))
	return o
}

// is declares a signal that is 1 for the packet types that satisfy want, and of any value for reserved opcodes.
func (o opcode) is(name string, want func(row *spec.Operation) bool) hdl.Value {
	numbers := map[string][]hdl.Value{} // comparisons of operations, by the services whose packet type satisfies want; "": all that have it
	services := map[string][]hdl.Value{}
	var order []string
	for n := range 1 << operationBits {
		has, satisfied := 0, []string{}
		var of []hdl.Value
		for _, s := range allServices {
			if row, is := spec.Opcode(int(s)<<operationBits | n).Operation(); is {
				if has++; want(row) {
					satisfied, of = append(satisfied, strings.ToLower(s.String())), append(of, o.services[s])
				}
			}
		}
		if len(of) == 0 {
			continue
		}
		key := ""
		if len(of) < has {
			key = strings.Join(satisfied, "_or_")
		}
		if numbers[key] == nil {
			order = append(order, key)
		}
		numbers[key], services[key] = append(numbers[key], o.operation.Eq(o.names[n])), of
	}
	var any []hdl.Value
	for _, key := range order {
		is := hdl.AnyOf(numbers[key]...)
		if key != "" {
			is = hdl.AnyOf(services[key]...).And(is)
			if len(order) > 1 {
				is = o.m.Let(name+"_"+key, is)
			}
		}
		any = append(any, is)
	}
	return o.m.Let(name, hdl.AnyOf(any...))
}

// isKnown declares a signal that is 1 unless the opcode is reserved. Services with the same operations share the comparisons.
func (o opcode) isKnown(name string) hdl.Value {
	operations, services := map[string][]hdl.Value{}, map[string][]hdl.Value{}
	names := map[string]string{}
	var order []string
	for _, s := range allServices {
		var numbers []int
		var compared []hdl.Value
		for n := range 1 << operationBits {
			if _, is := spec.Opcode(int(s)<<operationBits | n).Operation(); is {
				numbers, compared = append(numbers, n), append(compared, o.operation.Eq(o.names[n]))
			}
		}
		key := fmt.Sprint(numbers)
		if operations[key] == nil {
			order = append(order, key)
		}
		operations[key], services[key] = compared, append(services[key], o.services[s])
		names[key] += "_" + strings.ToLower(s.String())
	}
	var any []hdl.Value
	for _, key := range order {
		any = append(any, o.m.Let(name+names[key], hdl.AnyOf(services[key]...).And(hdl.AnyOf(operations[key]...))))
	}
	return o.m.Let(name, hdl.AnyOf(any...))
}
