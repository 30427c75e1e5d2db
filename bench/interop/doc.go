// Package interop holds the tests that MessagePack libraries read each other's
// documents, and fuzz targets that compare them.
package interop
