// Package digest computes digests of ranges of memory: CRC32C, CRC-64/NVME and SHA-256. It knows no protocol.
package digest
