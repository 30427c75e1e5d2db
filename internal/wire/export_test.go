package wire

// Steps returns how many names [NameTable.At] looks at before name, which is one of the names.
func (t *NameTable) Steps(name string) (n int) {
	w := wordsOf(name)
	for h := w.hash(t.shift) & t.mask; t.names[t.slots[h]-1] != name; h = (h + 1) & t.mask {
		n++
	}
	return n
}
