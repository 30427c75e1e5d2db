package weft

// Skipped returns how many bytes have been skipped in search of tags.
func (t *Tags) Skipped() int { return t.skipped }
