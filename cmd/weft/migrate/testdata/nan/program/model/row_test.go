package model_test

import (
	"testing"

	"github.com/kak-tus/nan"

	"example.com/program/model"
)

func TestNew(t *testing.T) {
	row := model.New("x")
	if row.Title != nan.String("x") || row.Title.String != "x" || row.Shown() != "x" {
		t.Error(row.Title.String)
	}
}
