package rnic

// life is the state of a stream as shown by the device.
type life uint8

const (
	unopened   life = iota // never opened; over from the host's view
	running                // segments are received and sent
	terminated             // its Terminate is sent; the end is not yet reported to the host
	reported               // reported to the host; its Terminate is not yet sent, or the peer ended the stream and none will be
	over                   // its Terminate is sent, and the end is reported
)

// shows is an observable step of the end of a stream.
type shows uint8

const (
	showsTerminate shows = iota // the Terminate is sent
	showsEvent                  // the host gets an event
)

// lives lists the allowed transitions.
var lives = map[life]map[shows]life{
	running:    {showsTerminate: terminated, showsEvent: reported},
	terminated: {showsEvent: over},
	reported:   {showsTerminate: over},
}

// after returns the next state; false if the transition is not allowed.
func (l life) after(s shows) (life, bool) {
	next, is := lives[l][s]
	return next, is
}

// silent reports whether the Terminate is sent, so that nothing may follow; known, whether the end is reported to the host.
func (l life) silent() bool { return l == terminated || l == over }
func (l life) known() bool  { return l == unopened || l == reported || l == over }

func (l life) String() string {
	return [...]string{"unopened", "running", "terminated", "reported", "over"}[l]
}

// failures are failures on a stream that no received segment caused.
type failures uint8

const (
	placementFailed failures = 1 << iota // nothing after it succeeds
	responseFailed                       // memory failed for a response: no later one is sent
	resultRefused                        // memory refused the result of an atomic
	workRefused                          // a work request failed its check: nothing after it is sent
	payloadUnread                        // memory did not return the octets of a message: nothing after it is sent
	stagGone                             // a request was not executed because its STag was invalidated

	local = placementFailed | responseFailed | resultRefused | workRefused | payloadUnread
)

// has reports whether any of the given failures has occurred.
func (f failures) has(some failures) bool { return f&some != 0 }
