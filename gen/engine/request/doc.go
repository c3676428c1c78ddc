// Package request turns work requests into messages and completions.
package request
