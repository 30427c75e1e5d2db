package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// property returns the code points that \p{expr} stands for: those of a category, a script or a binary property
// (ECMA-262 §22.2.2.9, tables 66 to 68), as far as package unicode has it.
func property(expr string) (set, bool) {
	name, value, paired := strings.Cut(expr, "=")
	if !paired {
		if s, ok := category(name); ok {
			return s, true
		}
		return binaryProperty(name)
	}
	switch name {
	case "gc", "General_Category":
		return category(value)
	case "sc", "Script":
		if t := scriptTable(value); t != nil {
			return ofTable(t), true
		}
	}
	return nil, false
}

func category(name string) (set, bool) {
	if t := categoryTable(name); t != nil {
		return ofTable(t), true
	}
	return nil, false
}

// binaryProperty returns the code points that have a binary property. Derived ones are put together as
// DerivedCoreProperties of Unicode (UAX #44) says.
func binaryProperty(name string) (set, bool) {
	switch name {
	case "Any":
		return set{0, utf8.MaxRune}, true
	case "ASCII":
		return set{0, 0x7f}, true
	case "Assigned":
		return ofTable(unicode.Cn).not(), true
	case "Lowercase", "Lower":
		return union("Ll", "Other_Lowercase"), true
	case "Uppercase", "Upper":
		return union("Lu", "Other_Uppercase"), true
	case "Cased":
		return union("LC", "Other_Lowercase", "Other_Uppercase"), true
	case "Alphabetic", "Alpha":
		return union("L", "Nl", "Other_Lowercase", "Other_Uppercase", "Other_Alphabetic"), true
	case "Math":
		return union("Sm", "Other_Math"), true
	case "ID_Start", "IDS":
		return idStart(), true
	case "ID_Continue", "IDC":
		return idContinue(), true
	case "XID_Start", "XIDS":
		return idStart().without(append(notXID, 0x0e33, 0x0e33, 0x0eb3, 0x0eb3, 0xff9e, 0xff9f).tidy()), true
	case "XID_Continue", "XIDC":
		return idContinue().without(notXID), true
	case "Grapheme_Extend", "Gr_Ext":
		return union("Me", "Mn", "Other_Grapheme_Extend"), true
	case "Grapheme_Base", "Gr_Base":
		return union("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me", "Mn", "Other_Grapheme_Extend").not(), true
	case "Default_Ignorable_Code_Point", "DI":
		return union("Other_Default_Ignorable_Code_Point", "Cf", "Variation_Selector").
			without(union("White_Space", "Prepended_Concatenation_Mark")).
			without(set{0xfff9, 0xfffb, 0x13430, 0x1343f}), true
	}
	if strings.HasPrefix(name, "Other_") || name == "Hyphen" || name == "Prepended_Concatenation_Mark" {
		return nil, false // of Unicode, and not of ECMA-262
	}
	if t := propertyTable(name); t != nil {
		return ofTable(t), true
	}
	return nil, false
}

// notXID is what is in ID_Continue and not in XID_Continue, which is closed under normalization (UAX #31, 5.1).
var notXID = set{0x37a, 0x37a, 0x309b, 0x309c, 0xfc5e, 0xfc63, 0xfdfa, 0xfdfb, 0xfe70, 0xfe70, 0xfe72, 0xfe72,
	0xfe74, 0xfe74, 0xfe76, 0xfe76, 0xfe78, 0xfe78, 0xfe7a, 0xfe7a, 0xfe7c, 0xfe7c, 0xfe7e, 0xfe7e}

func idStart() set {
	return union("L", "Nl", "Other_ID_Start").without(union("Pattern_Syntax", "Pattern_White_Space"))
}

func idContinue() set {
	return union("L", "Nl", "Other_ID_Start", "Mn", "Mc", "Nd", "Pc", "Other_ID_Continue").
		without(union("Pattern_Syntax", "Pattern_White_Space"))
}

// union returns the code points of categories and properties of package unicode.
func union(names ...string) set {
	var out set
	for _, name := range names {
		t := categoryTable(name)
		if t == nil {
			t = propertyTable(name)
		}
		out = append(out, ofTable(t)...)
	}
	return out.tidy()
}
