//go:build !race && !purego

package slim_test

const allocationsVary = false
