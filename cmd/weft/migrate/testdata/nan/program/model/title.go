package model

// Shown needs no import.
func (r *Row) Shown() string {
	if !r.Title.Valid {
		return "untitled"
	}
	return r.Title.String
}
