package json

import "github.com/weftcodec/weft/internal/mem"

// memSafe tells whether the build uses reflect, which allocates.
const memSafe = mem.Safe
