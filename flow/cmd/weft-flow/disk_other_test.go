//go:build unix && !linux

package main

import "errors"

func smallDisk(string, int) error { return errors.New("only Linux has one for a test") }

func freeDisk(string) {}
