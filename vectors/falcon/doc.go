// Package falcon generates conformance vectors of the profile falcon, RDMA over Falcon, and replays them on its golden model.
//
// Each test is read twice: its case in package cases/falcon states every outcome in its own words, and the golden model must
// agree, or nothing is written.
package falcon
