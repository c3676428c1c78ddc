// Package atomic executes Atomic Operations on words of memory.
package atomic
