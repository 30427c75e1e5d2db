package recordpb

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/weftcodec/weft/bench/records"
)

// TestGenerated wants the committed code to be what protoc-gen-go writes.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	out := filepath.Join(t.TempDir(), "record.pb.go")
	if text, err := exec.Command("go", "run", "../../cmd/protogen", "-o", out, "record.proto").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("record.pb.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("record.pb.go is out of date: run go generate")
	}
}

// TestSize: the message holds all of the record.
func TestSize(t *testing.T) {
	b, err := proto.Marshal(From(records.New()))
	if err != nil {
		t.Fatal(err)
	}
	if len(b) != 106 {
		t.Errorf("%d bytes, want 106", len(b))
	}
}
