// Package order keeps the order of effects: deliveries after placements, requests after each other.
package order
