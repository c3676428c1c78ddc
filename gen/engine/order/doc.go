// Package order enforces the order of effects: deliveries after placements, requests after earlier requests.
package order
