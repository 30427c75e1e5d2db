package unions

import (
	"fmt"
	"strings"
)

// Places are where [Document] may put the discriminator: before that many of the
// other eleven members.
var Places = []struct {
	Name string
	At   int
}{{"first", 0}, {"in the middle", 5}, {"last", 11}}

// Document returns an array of n pushes as JSON, in which the discriminator comes
// after at other members.
func Document(n, at int) []byte {
	list := make([]string, n)
	for i := range list {
		var commits []string
		for k := range i % 3 {
			commits = append(commits, fmt.Sprintf(`{"sha":"%040x","message":"fix what broke in build %d: \"off by one\"","author":"Ann Lee","distinct":true}`, i*7919+k, i))
		}
		m := []string{
			fmt.Sprintf(`"id":"%d"`, 22249084947+i),
			fmt.Sprintf(`"actor":{"id":%d,"login":"user-%d","url":"https://api.example.com/users/user-%d","admin":false}`, 1000+i, i, i),
			`"ref":"refs/heads/main"`,
			fmt.Sprintf(`"head":"%040x"`, i*31),
			fmt.Sprintf(`"before":"%040x"`, i*37),
			fmt.Sprintf(`"size":%d`, i%3),
			fmt.Sprintf(`"score":%d.%d`, i, i%10),
			`"public":true`,
			`"created_at":"2026-06-09T12:47:28Z"`,
			`"labels":["bug","good first issue","help wanted"]`,
			`"commits":[` + strings.Join(commits, ",") + `]`,
		}
		m = append(m[:at], append([]string{`"type":"push"`}, m[at:]...)...)
		list[i] = "{" + strings.Join(m, ",") + "}"
	}
	return []byte("[" + strings.Join(list, ",") + "]")
}
