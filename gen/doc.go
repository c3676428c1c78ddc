// Package gen holds the generators of the RNIC's hardware blocks, one block a file. Header layouts come from
// the tables of model/wire; everything that decides is written here a second time, independently of the
// golden model, so that comparing the two means something.
package gen
