package mem

// stackRoom is more than enough for the compilation of a struct of structs. It makes for a stack of 32 KB: smaller ones
// are carved by the runtime from memory of that size, which it links into a list and so has the system provide all of.
const stackRoom = 16 << 10

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
