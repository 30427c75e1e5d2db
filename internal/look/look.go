// Package look has what generated pages share: one stylesheet, and bar charts.
package look

import _ "embed"

// Style is the stylesheet of every page. Colors are light or dark as the reader's system is, or as the attribute
// data-theme of the root element says.
//
//go:embed style.css
var Style string
