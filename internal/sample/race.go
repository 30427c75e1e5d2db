//go:build race || purego

package sample

// allocationsVary tells that a build allocates as it likes.
const allocationsVary = true
