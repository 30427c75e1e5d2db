package corpus

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestTypesFit reads every document into its type and writes it again: the
// result must hold everything that the document holds, or a benchmark on the
// type would skip work unseen.
func TestTypesFit(t *testing.T) {
	for _, c := range append(All(), Small()...) {
		t.Run(c.Name, func(t *testing.T) {
			if testing.Short() && c.Name == "result_18mb" {
				t.Skip("-short")
			}
			data, err := c.Data()
			if err != nil {
				t.Fatal(err)
			}
			v := c.New()
			if err := json.Unmarshal(data, v); err != nil {
				t.Fatal(err)
			}
			out, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var want, got any
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			if path, ok := same("$", want, got); !ok {
				t.Errorf("the type loses %s", path)
			}
			t.Logf("%d bytes", len(data))
		})
	}
}

// same compares two untyped values and names the first place they differ.
func same(path string, want, got any) (string, bool) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return path, false
		}
		for k := range w {
			if p, ok := same(path+"."+k, w[k], g[k]); !ok {
				return p, false
			}
		}
		return "", true
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return path, false
		}
		for i := range w {
			if p, ok := same(path+"[]", w[i], g[i]); !ok {
				return p, false
			}
		}
		return "", true
	}
	return path, reflect.DeepEqual(want, got)
}

func TestPetSize(t *testing.T) {
	if len(PetJSON) != 144 {
		t.Errorf("PetJSON has %d bytes, want 144", len(PetJSON))
	}
}

func TestResultSize(t *testing.T) {
	b, err := Result18MB()
	if err != nil {
		t.Fatal(err)
	}
	if len(b) < 17.5e6 || len(b) > 19.5e6 {
		t.Errorf("document has %d bytes, want about 18 MB", len(b))
	}
}
