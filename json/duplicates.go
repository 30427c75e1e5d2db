package json

import "github.com/weftcodec/weft"

// duplicates returns the error for the first member of data, which is JSON,
// that has the name of an earlier one of the same object.
func (d *decoder) duplicates() error {
	var objects []map[string]struct{} // names of each open object, nil for an array
	b := d.b
	for i := d.ws(0); i < d.n; i = d.ws(i) {
		switch b.At(i) {
		case '{':
			objects = append(objects, map[string]struct{}{})
		case '[':
			objects = append(objects, nil)
		case '}', ']':
			objects = objects[:len(objects)-1]
		case '"':
			start := i
			s, j := d.str(i)
			i = d.ws(j)
			if b.At(i) != ':' {
				continue
			}
			names := objects[len(objects)-1]
			if _, ok := names[s]; ok {
				return &weft.Error{Format: "json", Offset: int64(start), Path: pathAt(d.data, start), Err: weft.ErrDuplicateName}
			}
			names[s] = struct{}{}
		}
		i++
	}
	return nil
}
