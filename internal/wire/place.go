package wire

// Place is where a text stands in a greater one, of which a coder that is given it tells positions.
type Place struct {
	Offset int64              // of the text
	Open   func() []OpenLevel // returns the arrays and objects around it, the outermost first; nil for none
	levels []OpenLevel        // what Open has returned: the text does not move in the greater one
}

// OpenLevel is an array or an object that a text stands in.
type OpenLevel struct {
	Object bool
	Count  int64  // tokens before the text; names and values count each
	Name   string // of the member that the text is the value of
}

// Around returns the levels around p, none if p is nil. They are found once: each place within asks several times.
func (p *Place) Around() []OpenLevel {
	if p == nil || p.Open == nil {
		return nil
	}
	if p.levels == nil {
		p.levels = p.Open()
	}
	return p.levels
}

// PlaceOf returns the place of what a reader or writer stands for, nil if it does not tell.
func PlaceOf(v any) *Place {
	if p, ok := v.(interface{ Place() *Place }); ok {
		return p.Place()
	}
	return nil
}
