package odd

// Made is read in a file of its own.
func Made() bool { return made.Valid }
