package json

// What the build is, for tests of the exported API.
const (
	RaceBuild = raceBuild
	SafeBuild = memSafe
)
