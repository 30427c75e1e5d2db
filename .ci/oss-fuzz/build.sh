#!/bin/bash -eu
# Builds the fuzz targets of the library for OSS-Fuzz, whose base image has compile_native_go_fuzzer.
cd "$SRC/weft"
git grep -E '^func Fuzz[A-Za-z0-9_]*\(' -- '*_test.go' ':!**/testdata/**' ':!bench' ':!contrib' ':!cmd' ':!flow' |
	sed -E 's,^(([^:]*)/)?[^/:]*:func (Fuzz[A-Za-z0-9_]*).*,\2 \3,' | while read -r folder target; do
	if [ -z "$target" ]; then target=$folder folder=; fi
	name=$(tr '/' '_' <<<"${folder:-weft}")_$target
	compile_native_go_fuzzer "github.com/weftcodec/weft${folder:+/$folder}" "$target" "$name"
	corpus=${folder:-.}/testdata/fuzz/$target
	if [ -d "$corpus" ]; then zip -qj "$OUT/${name}_seed_corpus.zip" "$corpus"/*; fi
done
