package rnic

// life is where a stream is, as the device has shown it.
type life uint8

const (
	unopened   life = iota // never opened: for the host it is over
	running                // segments come and leave
	terminated             // its Terminate has left; the host does not know yet
	reported               // the host knows; its Terminate has not left, or the peer has ended the stream and none does
	over                   // its Terminate has left, and the host knows
)

// shows is something that the device shows of the end of a stream.
type shows uint8

const (
	showsTerminate shows = iota // it leaves
	showsEvent                  // the host is told
)

// lives is what becomes of a life; what is not in it must not happen.
var lives = map[life]map[shows]life{
	running:    {showsTerminate: terminated, showsEvent: reported},
	terminated: {showsEvent: over},
	reported:   {showsTerminate: over},
}

// after is the life behind what the device shows; false when it must not show that.
func (l life) after(s shows) (life, bool) {
	next, is := lives[l][s]
	return next, is
}

// silent tells whether the Terminate has left, so that nothing else does; known, whether the host knows of the end.
func (l life) silent() bool { return l == terminated || l == over }
func (l life) known() bool  { return l == unopened || l == reported || l == over }

func (l life) String() string {
	return [...]string{"unopened", "running", "terminated", "reported", "over"}[l]
}

// failures are what has failed on a stream for no segment's fault.
type failures uint8

const (
	placementFailed failures = 1 << iota // nothing behind it succeeds
	responseFailed                       // memory has failed for an answer: none behind it leaves
	resultRefused                        // memory has refused the result of an atomic
	workRefused                          // a work request has failed its check: nothing behind it leaves
	payloadUnread                        // memory did not give the octets of a message: nothing behind it leaves
	stagGone                             // a request was not executed because its STag was invalidated

	local = placementFailed | responseFailed | resultRefused | workRefused | payloadUnread
)

// has tells whether one of some has happened.
func (f failures) has(some failures) bool { return f&some != 0 }
