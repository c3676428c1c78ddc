package system

// Timing is where the hardware spends cycles, from one event at its ports to the next. `rnicgen timing` measures it.
type Timing struct{}
