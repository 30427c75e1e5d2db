package mem

// stackRoom is more than enough for the compilation of most types, which is flat: structs wait for each other. A larger
// one would have the stack of most programs' first call grow, which copies it and has the system provide more memory.
const stackRoom = 1536

// GrowStack makes the stack of the goroutine large enough for what compiles types, which is called deep down, with
// large frames, and mostly soon after the goroutine has begun: the runtime would have to copy the stack later, with
// more frames on it, each of which costs as much as a field does.
func GrowStack() { _ = touch(0) }

// touch has a large frame, of which nothing is used for 0.
//
//go:noinline
func touch(i int) byte {
	if i == 0 {
		return 0
	}
	var room [stackRoom]byte
	room[i]++
	return room[i/2]
}
