package unions

import (
	"fmt"
	"slices"
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
		list[i] = event("push", push(i), at)
	}
	return array(list)
}

// Mixed returns an array of n pushes, n releases and n watches, one of each after
// the other, and arrays of each alone. The discriminator comes first, in the
// middle, or last, as at says of that of pushes.
func Mixed(n, at int) (mixed, pushes, releases, watches []byte) {
	var all []string
	var alone [3][]string
	for i := range n {
		for k, m := range [][]string{push(i), release(i), watch(i)} {
			e := event([]string{"push", "release", "watch"}[k], m, at*len(m)/11)
			all, alone[k] = append(all, e), append(alone[k], e)
		}
	}
	return array(all), array(alone[0]), array(alone[1]), array(alone[2])
}

func array(list []string) []byte { return []byte("[" + strings.Join(list, ",") + "]") }

// event returns an object of members m, with the discriminator after at of them.
func event(tag string, m []string, at int) string {
	m = slices.Insert(slices.Clone(m), at, `"type":"`+tag+`"`)
	return "{" + strings.Join(m, ",") + "}"
}

// push returns the members of the i-th push.
func push(i int) []string {
	var commits []string
	for k := range i % 3 {
		commits = append(commits, fmt.Sprintf(`{"sha":"%040x","message":"fix what broke in build %d: \"off by one\"","author":"Ann Lee","distinct":true}`, i*7919+k, i))
	}
	return []string{
		id(i), actor(i),
		`"ref":"refs/heads/main"`,
		fmt.Sprintf(`"head":"%040x"`, i*31),
		fmt.Sprintf(`"before":"%040x"`, i*37),
		fmt.Sprintf(`"size":%d`, i%3),
		fmt.Sprintf(`"score":%d.%d`, i, i%10),
		`"public":true`,
		created,
		`"labels":["bug","good first issue","help wanted"]`,
		`"commits":[` + strings.Join(commits, ",") + `]`,
	}
}

// release returns the members of the i-th release.
func release(i int) []string {
	return []string{
		id(i), actor(i),
		fmt.Sprintf(`"tag":"v1.%d.%d"`, i/10, i%10),
		fmt.Sprintf(`"notes":"What is new in release %d: fewer bugs, and \"more\" speed."`, i),
		`"draft":false`,
		created,
	}
}

// watch returns the members of the i-th watch.
func watch(i int) []string { return []string{id(i), actor(i), `"action":"started"`, created} }

func id(i int) string { return fmt.Sprintf(`"id":"%d"`, 22249084947+i) }

func actor(i int) string {
	return fmt.Sprintf(`"actor":{"id":%d,"login":"user-%d","url":"https://api.example.com/users/user-%d","admin":false}`, 1000+i, i, i)
}

const created = `"created_at":"2026-06-09T12:47:28Z"`
