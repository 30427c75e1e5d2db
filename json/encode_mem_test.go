package json

import "github.com/weftcodec/weft/internal/mem"

// memSafe reports whether the build uses reflect, which allocates.
const memSafe = mem.Safe
