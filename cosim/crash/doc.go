// Package crash crashes a host after every cycle of the hardware while peers append to logs in its persistent memory, and
// checks the remaining contents.
//
// A log is that of draft-talpey-rdma-commit-01 section 2.2. A record is an RDMA Write, an RDMA Flush, an RDMA Verify and an
// Atomic Write of the tail, the number of the last valid record; then the tail is flushed. A peer sends all of it back to back,
// within IRD. Between the engine and storage are caches that lose their contents in a crash and evict lines whenever they like:
// memory.Outcomes has every content that storage may have, so that a check covers all evictions.
//
// After a crash the tail must name only records that are complete in storage, and every record whose last Flush has a response.
package crash
