package ir

import (
	"go/token"
	"testing"
)

func TestGoName(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"pet", "Pet"},
		{"pet_id", "PetID"},
		{"petIds", "PetIDs"},
		{"userIDs", "UserIDs"},
		{"HTTPServer", "HTTPServer"},
		{"http-url", "HTTPURL"},
		{"IN_PROGRESS", "InProgress"},
		{"USD", "USD"},
		{"ACTIVE", "Active"},
		{"2fa", "X2fa"},
		{"+1", "Plus1"},
		{"-1", "Minus1"},
		{"-name", "MinusName"},
		{"<=", "LessEqual"},
		{"*", "Star"},
		{"x.y/z", "XYZ"},
		{"on", "On"},
		{"type", "Type"},
		{"error", "Error"},
		{"ключ", "Ключ"},
		{"鍵", "X鍵"},
		{"v2Model", "V2Model"},
		{"\x00", "X"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got := GoName(tt.text)
			if got != tt.want {
				t.Errorf("GoName(%q) = %q, want %q", tt.text, got, tt.want)
			}
			if got != "" && (!token.IsIdentifier(got) || !token.IsExported(got)) {
				t.Errorf("GoName(%q) = %q is not an exported name", tt.text, got)
			}
		})
	}
}

func TestScope(t *testing.T) {
	s := NewScope("Validate")
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{[]string{"Pet"}, "Pet"},
		{[]string{"Pet"}, "Pet2"},
		{[]string{"Pet", "PetModel"}, "PetModel"},
		{[]string{"Pet", ""}, "Pet3"},
		{[]string{"V1"}, "V1"},
		{[]string{"V1"}, "V1_2"},
		{[]string{"Validate", "ValidateField"}, "ValidateField"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := s.Pick(tt.names...); got != tt.want {
				t.Errorf("Pick(%q) = %q, want %q", tt.names, got, tt.want)
			}
		})
	}
}

func FuzzGoName(f *testing.F) {
	for _, s := range []string{"pet_id", "+1", "IDs", "<=", "鍵", "a\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if name := GoName(text); text != "" && (!token.IsIdentifier(name) || !token.IsExported(name)) {
			t.Errorf("GoName(%q) = %q", text, name)
		}
	})
}
