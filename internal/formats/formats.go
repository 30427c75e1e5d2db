// Package formats has the string formats of JSON Schema and OpenAPI, as functions that report whether a string has a
// format. They do not allocate, and examine each byte once or twice.
package formats

// Named returns the function that reports whether a string is of the format called name, and what such a string is
// called with its article. The function is nil where the format is not known.
func Named(name string) (is func(s string) bool, what string) {
	switch name {
	case "uuid":
		return UUID, "a UUID"
	case "date":
		return Date, "a date"
	case "date-time":
		return DateTime, "a date-time"
	case "time":
		return Time, "a time"
	case "duration":
		return Duration, "a duration"
	case "ipv4":
		return IPv4, "an IPv4 address"
	case "ipv6":
		return IPv6, "an IPv6 address"
	case "uri":
		return URI, "a URI"
	case "email":
		return Email, "an email address"
	case "decimal":
		return Decimal, "a decimal"
	case "byte":
		return Base64, "a base64 string"
	}
	return nil, ""
}

// Kinds of characters. A byte beyond ASCII is of none.
const (
	digit    = 1 << iota
	alpha    // a letter
	hex      // a hexadecimal digit
	base64   // of base64's alphabet (RFC 4648, section 4)
	atom     // of an Atom (RFC 5322, section 3.2.3)
	host     // unreserved or a sub-delimiter (RFC 3986, section 2)
	userinfo // and a colon
	path     // and what else a path has
	query    // and what else a query and a fragment have
)

const (
	anyURI = host | userinfo | path | query
	anyNum = digit | hex | base64 | atom | anyURI
	anyHex = alpha | hex | base64 | atom | anyURI
	letter = alpha | base64 | atom | anyURI
	both   = atom | anyURI
)

// kinds are the kinds that each byte is of.
var kinds = [256]uint16{
	'0': anyNum, '1': anyNum, '2': anyNum, '3': anyNum, '4': anyNum,
	'5': anyNum, '6': anyNum, '7': anyNum, '8': anyNum, '9': anyNum,
	'A': anyHex, 'B': anyHex, 'C': anyHex, 'D': anyHex, 'E': anyHex, 'F': anyHex,
	'a': anyHex, 'b': anyHex, 'c': anyHex, 'd': anyHex, 'e': anyHex, 'f': anyHex,
	'G': letter, 'H': letter, 'I': letter, 'J': letter, 'K': letter,
	'L': letter, 'M': letter, 'N': letter, 'O': letter, 'P': letter,
	'Q': letter, 'R': letter, 'S': letter, 'T': letter, 'U': letter,
	'V': letter, 'W': letter, 'X': letter, 'Y': letter, 'Z': letter,
	'g': letter, 'h': letter, 'i': letter, 'j': letter, 'k': letter,
	'l': letter, 'm': letter, 'n': letter, 'o': letter, 'p': letter,
	'q': letter, 'r': letter, 's': letter, 't': letter, 'u': letter,
	'v': letter, 'w': letter, 'x': letter, 'y': letter, 'z': letter,
	'!': both, '$': both, '&': both, '\'': both, '*': both, '-': both, '=': both, '_': both, '~': both,
	'+': both | base64, '/': atom | base64 | path | query, '?': atom | query,
	'(': anyURI, ')': anyURI, ',': anyURI, ';': anyURI, '.': anyURI, ':': userinfo | path | query, '@': path | query,
	'#': atom, '%': atom, '^': atom, '`': atom, '{': atom, '|': atom, '}': atom,
}

// span returns how many bytes of kind s begins with.
func span(s string, kind uint16) int {
	for i := range len(s) {
		if kinds[s[i]]&kind == 0 {
			return i
		}
	}
	return len(s)
}

// UUID reports whether s is a UUID (RFC 9562, section 4).
func UUID(s string) bool {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return false
	}
	return areHex(eight(s[0:4], s[4:8]))&areHex(eight(s[9:13], s[14:18]))&
		areHex(eight(s[19:23], s[24:28]))&areHex(eight(s[28:32], s[32:36])) == high
}

// high has the highest bit of each byte.
const high = 0x8080808080808080

// eight returns the four bytes of each of a and b in a word.
func eight(a, b string) uint64 {
	_, _ = a[3], b[3]
	return uint64(a[0]) | uint64(a[1])<<8 | uint64(a[2])<<16 | uint64(a[3])<<24 |
		uint64(b[0])<<32 | uint64(b[1])<<40 | uint64(b[2])<<48 | uint64(b[3])<<56
}

// areHex returns high if all bytes of x are hexadecimal digits. A byte of ASCII plus 0x80-c has its highest bit where
// it is at least c; beyond ASCII the last term is what counts.
func areHex(x uint64) uint64 {
	const each = high / 0x80
	digits := (x + each*(0x80-'0')) &^ (x + each*(0x80-'9'-1))
	lower := x | each*0x20
	letters := (lower + each*(0x80-'a')) &^ (lower + each*(0x80-'f'-1))
	return (digits | letters) &^ x & high
}
