// Package flush asks the platform to make ranges of memory persistent or globally visible.
package flush
