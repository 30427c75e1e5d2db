package interop

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/ugorji/go/codec"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cbor/cboritem"
)

// pythonLoop and nodeLoop answer a line of hexadecimal digits with the item that they have read and written again.
const (
	pythonLoop = `
for line in sys.stdin:
    print(cbor2.dumps(cbor2.loads(bytes.fromhex(line)), canonical=CANONICAL).hex())
`
	nodeLoop = `
for (const line of require("fs").readFileSync(0, "utf8").split("\n"))
    if (line) console.log(Buffer.from(WRITE(READ(Buffer.from(line, "hex")))).toString("hex"));
`
)

// cborPeers are libraries of other languages. The environment says where they are: WEFT_PYTHON names an interpreter
// that has cbor2, NODE_PATH a folder with cbor and cbor-x.
var cborPeers = []struct {
	name, language string
	probe          string
	loop           string
	same           bool // it writes as LengthFirst does; else what is a whole number to it is written as one
}{
	{"cbor2", "python", "import sys, cbor2\n", strings.Replace(pythonLoop, "CANONICAL", "True", 1), true},
	{"cbor2 as it comes", "python", "import sys, cbor2\n", strings.Replace(pythonLoop, "CANONICAL", "False", 1), false},
	{"node-cbor", "node", `const c = require("cbor"), write = (v) => c.encodeOne(v, {highWaterMark: 1 << 24});`,
		replace(nodeLoop, "write", "c.decodeFirstSync"), false},
	{"cbor-x", "node", `const x = require("cbor-x"), e = new x.Encoder({mapsAsObjects: false, useRecords: false});`,
		replace(nodeLoop, "e.encode", "e.decode"), false},
}

func replace(loop, write, read string) string {
	return strings.NewReplacer("WRITE", write, "READ", read).Replace(loop)
}

// TestCBORLanguages: random values are read by libraries of other languages, written by them, and read again as they
// were.
func TestCBORLanguages(t *testing.T) {
	var in bytes.Buffer
	var values []any
	for seed := range uint64(500) {
		v := randomItem(rand.New(rand.NewPCG(seed, 24)), 3)
		b, err := cbor.Marshal(v, cbor.LengthFirst.Strict())
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
		in.WriteString(hex.EncodeToString(b) + "\n")
	}
	for _, p := range cborPeers {
		t.Run(p.name, func(t *testing.T) {
			run := func(text string, in []byte) ([]byte, error) {
				cmd := exec.Command("node", "-e", text)
				if p.language == "python" {
					cmd = exec.Command(cmp.Or(os.Getenv("WEFT_PYTHON"), "python3"), "-c", text)
				}
				cmd.Stdin = bytes.NewReader(in)
				return cmd.Output()
			}
			if _, err := run(p.probe, nil); err != nil {
				t.Skip("not installed: ", err)
			}
			out, err := run(p.probe+p.loop, in.Bytes())
			if err != nil {
				t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
			}
			mode := cbor.DCBOR
			if p.same {
				mode = cbor.LengthFirst
			}
			lines := strings.Fields(string(out))
			if len(lines) != len(values) {
				t.Fatalf("%d lines", len(lines))
			}
			for i, line := range lines {
				b, err := hex.DecodeString(line)
				if err != nil {
					t.Fatal(err)
				}
				want, err := cbor.Marshal(values[i], mode.Strict())
				if err != nil {
					t.Fatal(err)
				}
				var v any
				err = cbor.Unmarshal(b, &v)
				back, failed := cbor.Marshal(v, mode.Strict())
				if err != nil || failed != nil || !bytes.Equal(back, want) || p.same && !bytes.Equal(b, want) {
					t.Fatalf("seed %d: %x came back as %x: %v %v", i, want, b, err, failed)
				}
			}
			t.Logf("%d values", len(lines))
		})
	}
}

// TestCBORUgorji: what ugorji/go reads and writes comes back unchanged.
func TestCBORUgorji(t *testing.T) {
	h := new(codec.CborHandle)
	h.Canonical = true
	h.MapType = reflect.TypeFor[map[any]any]()
	for seed := range uint64(2000) {
		v := randomItem(rand.New(rand.NewPCG(seed, 25)), 3)
		want, err := cbor.Marshal(v, cbor.Core.Strict())
		if err != nil {
			t.Fatal(err)
		}
		var theirs, own any
		var b []byte
		if err := codec.NewDecoderBytes(want, h).Decode(&theirs); err != nil {
			t.Fatalf("seed %d: %x: %v", seed, want, err)
		}
		if err := codec.NewEncoderBytes(&b, h).Encode(theirs); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := cbor.Unmarshal(b, &own); err != nil {
			t.Fatalf("seed %d: %x: %v", seed, b, err)
		}
		if back, err := cbor.Marshal(own, cbor.Core.Strict()); err != nil || !bytes.Equal(back, want) {
			text, _, _ := cboritem.AppendDiagnostic(nil, b)
			t.Fatalf("seed %d: %x came back as %x, %.200s: %v", seed, want, b, text, err)
		}
	}
}
