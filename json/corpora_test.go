package json_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	stdjson "encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
)

// corpora returns the large documents that come with the Go toolchain, by
// name.
func corpora(t *testing.T) map[string][]byte {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src/encoding/json/internal/jsontest/testdata/*.json.zst"))
	if err != nil || len(files) == 0 {
		t.Skip("this toolchain has no corpora")
	}
	docs := make(map[string][]byte)
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Skip(err)
		}
		docs[strings.TrimSuffix(filepath.Base(f), ".json.zst")] = unzstd(t, b)
	}
	return docs
}

// unzstd decompresses b. The standard library keeps its Zstandard decoder to
// itself, but reads debug sections of ELF files by it: b becomes one.
func unzstd(t *testing.T, b []byte) []byte {
	t.Helper()
	var f bytes.Buffer
	write := func(v any) {
		if err := binary.Write(&f, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	const head, section, names = 64, 64, "\x00.data\x00.names\x00"
	data := uint64(head + 3*section)
	end := data + 24 + uint64(len(b))
	write(elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_REL), Machine: uint16(elf.EM_X86_64),
		Version: uint32(elf.EV_CURRENT), Shoff: head, Ehsize: head, Shentsize: section, Shnum: 3, Shstrndx: 2,
	})
	write(elf.Section64{})
	write(elf.Section64{Name: 1, Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_COMPRESSED), Off: data, Size: end - data})
	write(elf.Section64{Name: 7, Type: uint32(elf.SHT_STRTAB), Off: end, Size: uint64(len(names))})
	write(elf.Chdr64{Type: uint32(elf.COMPRESS_ZSTD)})
	f.Write(b)
	f.WriteString(names)
	e, err := elf.NewFile(bytes.NewReader(f.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(e.Sections[1].Open())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCorpora decodes large documents at every level of the machine as
// encoding/json does.
func TestCorpora(t *testing.T) {
	for name, doc := range corpora(t) {
		if testing.Short() && len(doc) > 1<<20 {
			continue
		}
		var want any
		if err := stdjson.Unmarshal(doc, &want); err != nil {
			t.Fatal(err)
		}
		text, err := stdjson.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range wire.Levels() {
			t.Run(name+"/"+level, func(t *testing.T) {
				defer wire.SetLevel(level)()
				var got any
				if err := json.Unmarshal(doc, &got); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatal(differ(reflect.ValueOf(&want), reflect.ValueOf(&got)))
				}
				if b, err := stdjson.Marshal(got); err != nil || !bytes.Equal(b, text) {
					t.Fatalf("written again it differs: %v", err)
				}
				got = nil
				if err := json.NewDecoder(iotest.HalfReader(bytes.NewReader(doc))).Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("a stream decodes to something else: %v", err)
				}
				if !json.Valid(doc) || json.Valid(doc[:len(bytes.TrimSpace(doc))-1]) {
					t.Error("Valid")
				}
			})
		}
	}
}

// TestLevels decodes small documents, at all places within a block, at every
// level of the machine.
func TestLevels(t *testing.T) {
	for _, level := range wire.Levels() {
		t.Run(level, func(t *testing.T) {
			defer wire.SetLevel(level)()
			for _, doc := range hostileDocs {
				for shift := range 65 {
					agree(t, []byte(strings.Repeat(" ", shift)+doc))
				}
			}
		})
	}
}
