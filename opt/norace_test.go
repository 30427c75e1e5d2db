//go:build !race && !purego

package opt_test

const allocationsVary = false
