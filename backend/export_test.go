package backend

// Skipped returns how many bytes have been skipped in search of tags.
func (t *Lookahead) Skipped() int { return t.skipped }
