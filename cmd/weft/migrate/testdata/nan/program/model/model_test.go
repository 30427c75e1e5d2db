package model

import "testing"

func TestShown(t *testing.T) {
	if got := (&Row{}).Shown(); got != "untitled" {
		t.Error(got)
	}
}
