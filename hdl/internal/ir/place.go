package ir

import (
	"runtime"
	"strings"
)

const builder = "github.com/rnicgen/rnicgen/hdl"

// Outside lists the calls that led to a place in a description, innermost first, without those inside package hdl.
func Outside(pcs []uintptr) []runtime.Frame {
	var out []runtime.Frame
	if len(pcs) == 0 {
		return nil
	}
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		inside := strings.HasPrefix(f.Function, builder+".") || strings.HasPrefix(f.Function, builder+"/internal/")
		if !inside && !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "reflect.") && f.File != "" {
			out = append(out, f)
		}
		if !more {
			return out
		}
	}
}
