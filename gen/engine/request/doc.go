// Package request turns work requests into segments and completions.
package request
