// Package falcon is the hardware of the profile RDMA over Falcon. Headers, packet types and rules are rows of model/falcon/spec; all
// decision logic is written here independently of the golden model, so that comparing the two is meaningful.
package falcon
