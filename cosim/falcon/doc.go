// Package falcon runs the engine of RDMA over Falcon on a simulator.
package falcon
