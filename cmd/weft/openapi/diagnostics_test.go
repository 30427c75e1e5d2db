package openapi

import (
	"strings"
	"testing"
)

// diagnosticRows are documents and all that is to be said about them.
var diagnosticRows = []struct {
	what string
	file string
	text string
	want []string // without the file's name
}{
	{
		what: "empty file", file: "t.yaml",
		text: "",
		want: []string{
			`1:1: the file is empty: an OpenAPI document is expected`,
		},
	},
	{
		what: "only blanks", file: "t.json",
		text: ` 
 `,
		want: []string{
			`1:1: the file is empty: an OpenAPI document is expected`,
		},
	},
	{
		what: "a list", file: "t.json",
		text: "[1]",
		want: []string{
			`1:1: a list where an OpenAPI document is expected: write an object with the members openapi, info and paths`,
		},
	},
	{
		what: "a scalar in YAML", file: "t.yaml",
		text: `hello
`,
		want: []string{
			`1:1: a string where an OpenAPI document is expected: write an object with the members openapi, info and paths`,
		},
	},
	{
		what: "version missing", file: "t.yaml",
		text: `info: {title: t, version: '1'}
paths: {}
`,
		want: []string{
			`1:1: the version is missing: add openapi: "3.0.3" (or the version it is written in)`,
		},
	},
	{
		what: "version misspelt", file: "t.yaml",
		text: `openpai: 3.0.0
paths: {}
`,
		want: []string{
			`1:1: "openpai" is not a member of an OpenAPI document: did you mean "openapi"?`,
		},
	},
	{
		what: "version unknown", file: "t.yaml",
		text: `openapi: 4.0.0
paths: {}
`,
		want: []string{
			`1:10: openapi "4.0.0" is not a supported version: expected 2.0, 3.0, 3.1 or 3.2`,
		},
	},
	{
		what: "version a number", file: "t.yaml",
		text: `openapi: 3.0
info: {title: t, version: 1.0}
paths: {}
`,
		want: []string{
			`1:10: warning: openapi is a number, but must be a string: put it in quotes`,
			`2:27: warning: version is a number, but must be a string: put it in quotes`,
		},
	},
	{
		what: "version a list", file: "t.json",
		text: `{"openapi": ["3.0.0"], "paths": {}}`,
		want: []string{
			`1:13: openapi is a list, but must be a version such as "3.0.3"`,
		},
	},
	{
		what: "info missing", file: "t.yaml",
		text: `openapi: 3.0.3
paths: {}
`,
		want: []string{
			`1:1: warning: info is missing: add info with title and version`,
		},
	},
	{
		what: "paths missing", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
`,
		want: []string{
			`1:1: warning: paths is missing: add it, be it empty`,
		},
	},
	{
		what: "unknown member of the root", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
component: {}
x-fine: 1
strange: 2
`,
		want: []string{
			`4:1: warning: "component" is not a member of an OpenAPI document and is ignored: did you mean "components"?`,
			`6:1: warning: "strange" is not a member of an OpenAPI document and is ignored: remove it, or begin its name with "x-"`,
		},
	},
	{
		what: "JSON cut off in an object", file: "t.json",
		text: `{"openapi": "3.0.3",
 "info": {`,
		want: []string{
			`2:11: the text ends inside the object that begins at 2:10: is the file cut off?`,
		},
	},
	{
		what: "JSON cut off in a string", file: "t.json",
		text: `{"openapi": "3.0.3",
 "info`,
		want: []string{
			`2:7: the text ends inside the string that begins at 2:2: is the file cut off?`,
		},
	},
	{
		what: "JSON cut off after a colon", file: "t.json",
		text: `{"openapi":`,
		want: []string{
			`1:12: the text ends where a value is expected: is the file cut off?`,
		},
	},
	{
		what: "JSON cut off in a list", file: "t.json",
		text: `{"openapi": "3.0.3", "tags": [1,`,
		want: []string{
			`1:33: the text ends inside the list that begins at 1:30: is the file cut off?`,
		},
	},
	{
		what: "JSON trailing comma", file: "t.json",
		text: `{"openapi": "3.0.3", "info": {"title": "t", "version": "1",}, "paths": {},
}`,
		want: []string{
			`1:60: warning: a comma before the closing brace: remove the comma`,
			`2:1: warning: a comma before the closing brace: remove the comma`,
		},
	},
	{
		what: "JSON missing comma", file: "t.json",
		text: `{"openapi": "3.0.3"
 "info": {"title": "t", "version": "1"}, "paths": {}}`,
		want: []string{
			`2:2: a comma is missing before this value: add it`,
		},
	},
	{
		what: "JSON missing colon", file: "t.json",
		text: `{"openapi" "3.0.3"}`,
		want: []string{
			`1:12: '"' after the name "openapi": a colon is expected`,
		},
	},
	{
		what: "JSON comment", file: "t.json",
		text: `{
 // hello
 "openapi": "3.0.3"}`,
		want: []string{
			`2:2: a comment: JSON has none, remove it`,
		},
	},
	{
		what: "JSON bad literal", file: "t.json",
		text: `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {}, "x-a": True, "x-b": hello}`,
		want: []string{
			`1:82: warning: "True" is not a JSON value: write it in lower case`,
			`1:95: "hello" is not a JSON value: put it in quotes if it is a string`,
		},
	},
	{
		what: "JSON text after the end", file: "t.json",
		text: `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {}}
}`,
		want: []string{
			`2:1: '}' after the document's end: remove it`,
		},
	},
	{
		what: "JSON bad escape", file: "t.json",
		text: `{"openapi": "3.0.3", "info": {"title": "é\q", "version": "1"}, "paths": {}}`,
		want: []string{
			`1:42: a backslash that begins no escape of JSON: write "\\" for a backslash`,
		},
	},
	{
		what: "JSON line break in a string", file: "t.json",
		text: `{"openapi": "3.0.3", "info": {"title": "a
b", "version": "1"}, "paths": {}}`,
		want: []string{
			`1:42: a line break inside the string that begins at 1:40: close the string, or write "\n"`,
		},
	},
	{
		what: "JSON leading zero", file: "t.json",
		text: `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {}, "x-n": 01}`,
		want: []string{
			`1:82: a number with a leading zero: remove the zero, or put the value in quotes`,
		},
	},
	{
		what: "JSON duplicate members", file: "t.json",
		text: `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {},
 "x-a": 1, "x-a": 1,
 "x-b": 1, "x-b": 2}`,
		want: []string{
			`2:12: warning: "x-a" stands here again as at 2:2: remove one`,
			`3:12: "x-b" stands here again with another value than at 3:2: keep one of them`,
		},
	},
	{
		what: "JSON not UTF-8", file: "t.json",
		text: "{\x22openapi\x22: \x223.0.3\x22, \x22info\x22: {\x22title\x22: \x22\xff\x22, \x22version\x22: \x221\x22}, \x22paths\x22: {}}",
		want: []string{
			`1:41: warning: a byte that is not UTF-8, read as U+FFFD: save the file as UTF-8`,
		},
	},
	{
		what: "column in characters", file: "t.json",
		text: `{"openapi": "3.0.3", "info": {"title": "äöü€𝄞", "version": 1}, "paths": {}}`,
		want: []string{
			`1:60: warning: version is a number, but must be a string: put it in quotes`,
		},
	},
	{
		what: "YAML tab", file: "t.yaml",
		text: `openapi: 3.0.3
info:
	title: t
`,
		want: []string{
			`3:1: a tab in the indentation: YAML allows spaces only, replace it`,
		},
	},
	{
		what: "YAML quote open", file: "t.yaml",
		text: `openapi: 3.0.3
info:
  title: "t
`,
		want: []string{
			`4:1: the text ends inside a quoted string that begins at 3:10: close it, or is the file cut off?`,
		},
	},
	{
		what: "YAML indentation", file: "t.yaml",
		text: `openapi: 3.0.3
info:
  title: t
 version: '1'
`,
		want: []string{
			`4:2: a line that is neither a member nor a list entry of what stands around it: check the indentation (the object begins at 1:1)`,
		},
	},
	{
		what: "YAML colon", file: "t.yaml",
		text: `openapi: 3.0.3
info:
  title: a: b
`,
		want: []string{
			`3:11: a colon where no value can follow: indent these lines equally, or quote text that contains ": "`,
		},
	},
	{
		what: "YAML list without its end", file: "t.yaml",
		text: `openapi: 3.0.3
tags: [a, b
info: c
`,
		want: []string{
			`3:5: a list in [ that goes on without a comma or its end (it begins at 2:7): close it, or put a text that has a ` +
				`comma or bracket in it in quotes`,
		},
	},
	{
		what: "YAML line without a colon", file: "t.yaml",
		text: `openapi: 3.0.3
info
paths: {}
`,
		want: []string{
			`3:1: a line without the colon of a member: write NAME: VALUE, or indent it as part of the text above`,
		},
	},
	{
		what: "YAML escape", file: "t.yaml",
		text: `openapi: "3\q"
`,
		want: []string{
			`1:12: found unknown escape character: write a backslash twice, or put the text in single quotes`,
		},
	},
	{
		what: "YAML unknown alias", file: "t.yaml",
		text: `openapi: 3.0.3
info: *nope
`,
		want: []string{
			`2:7: unknown anchor 'nope' referenced: define it with & before its use, or put the text in quotes`,
		},
	},
	{
		what: "YAML alias in itself", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
x-a: &a
  - *a
`,
		want: []string{
			`5:5: the alias *a stands inside its own anchor: an endless value, use $ref for recursion`,
		},
	},
	{
		what: "YAML two documents", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
---
b: 1
`,
		want: []string{
			`5:1: a second document begins here: a file holds one, split it`,
		},
	},
	{
		what: "YAML duplicate keys", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
x-a: 1
x-a: 2
`,
		want: []string{
			`5:1: "x-a" stands here again with another value than at 4:1: keep one of them`,
		},
	},
	{
		what: "YAML control character", file: "t.yaml",
		text: "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\nx-a: \u0001\n",
		want: []string{
			`4:6: control characters are not allowed (value: 1): remove it, or write it as an escape in double quotes`,
		},
	},
	{
		what: "YAML at sign", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
x-a: @b
`,
		want: []string{
			`4:6: a character that cannot begin a value: put the text in quotes`,
		},
	},
	{
		what: "YAML key a list", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
x-a:
  ? [a]
  : 1
`,
		want: []string{
			`5:5: a list or an object as the name of a member: names are strings`,
		},
	},
	{
		what: "YAML merge of a scalar", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
x-a:
  <<: 1
`,
		want: []string{
			`5:7: a number as the value of the merge key <<: an object or a list of them is expected`,
		},
	},
	{
		what: "YAML names and values that only look like booleans", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A:
      type: object
      properties: {on: {type: string}, yes: {type: string, enum: [no, off, y]}, null: {type: string}}
`,
	},
	{
		what: "reference to a near name", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {type: object}
    Pets: {type: array, items: {$ref: '#/components/schemas/Pett'}}
`,
		want: []string{
			`7:39: "#/components/schemas/Pett" names nothing, there is no "Pett" in #/components/schemas: did you mean "#/components/schemas/Pet"?`,
		},
	},
	{
		what: "reference to a near section", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {type: object}
    Pets: {type: array, items: {$ref: '#/component/schemas/Pet'}}
`,
		want: []string{
			`7:39: "#/component/schemas/Pet" names nothing, there is no "component" in the document: did you mean "#/components/schemas/Pet"?`,
		},
	},
	{
		what: "reference to another version's section", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {type: object}
    Pets: {type: array, items: {$ref: '#/definitions/Pet'}}
`,
		want: []string{
			`7:39: "#/definitions/Pet" names nothing, there is no "definitions" in the document: did you mean "#/components/schemas/Pet"?`,
		},
	},
	{
		what: "reference without a slash", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {type: object}
    Pets: {type: array, items: {$ref: '#components/schemas/Pet'}}
`,
		want: []string{
			`7:39: "#components/schemas/Pet" names no $anchor: did you mean "#/components/schemas/Pet"?`,
		},
	},
	{
		what: "definitions of a schema that was pasted whole", file: "t.yaml",
		text: `openapi: 3.1.0
info: {title: t, version: '1'}
components:
  schemas:
    Own:
      $defs: {Name: {type: string}, List: {type: array, items: {$ref: '#/$defs/Name'}}}
      properties: {n: {$ref: '#/$defs/Name'}, l: {$ref: '#/$defs/List'}, m: {$ref: '#/$defs/Nobody'}}
`,
		want: []string{
			`6:71: warning: "#/$defs/Name" names nothing in the document, read as that of the schema around it: ` +
				`write "#/components/schemas/Own/$defs/Name"`,
			`7:30: warning: "#/$defs/Name" names nothing in the document, read as that of the schema around it: ` +
				`write "#/components/schemas/Own/$defs/Name"`,
			`7:57: warning: "#/$defs/List" names nothing in the document, read as that of the schema around it: ` +
				`write "#/components/schemas/Own/$defs/List"`,
			`7:84: "#/$defs/Nobody" names nothing, there is no "$defs" in the document: define it or correct the reference`,
		},
	},
	{
		what: "a type that is not that of what it extends", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    List: {type: object, properties: {}, allOf: [{type: array, items: {type: string}}]}
    Same: {type: object, allOf: [{type: object}, {properties: {}}]}
    Number: {type: number, allOf: [{type: integer}]}
    Told: {type: object, properties: {a: {}}, allOf: [{type: array, items: {}}]}
`,
		want: []string{
			`6:18: warning: the type object is not that of the allOf, array, and is ignored: correct one`,
		},
	},
	{
		what: "types of other languages", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components: {schemas: {A: {type: Guid}, B: {type: url}}}
`,
		want: []string{
			`4:34: warning: "Guid" is not a type, read as string: write it so`,
			`4:51: warning: "url" is not a type, read as string: write it so`,
		},
	},
	{
		what: "reference by name alone", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {type: object}
    Pets: {type: array, items: {$ref: Pet}}
`,
		want: []string{
			`7:39: warning: "Pet" is the name of a schema and no reference, read as one: write "#/components/schemas/Pet"`,
		},
	},
	{
		what: "reference to nothing near", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {$ref: '#/components/schemas/Zebra'}
`,
		want: []string{
			`6:17: "#/components/schemas/Zebra" names nothing, there is no "Zebra" in #/components/schemas: define it or correct the reference`,
		},
	},
	{
		what: "reference to a missing file", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {$ref: 'no-such-file.yaml#/a'}
`,
		want: []string{
			`6:17: "no-such-file.yaml#/a": there is no such file: check the path`,
		},
	},
	{
		what: "reference to the network", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {$ref: 'https://example.com/a.yaml#/a'}
`,
		want: []string{
			`6:17: "https://example.com/a.yaml#/a" is on the network, where nothing is read from: ` +
				`save the file beside the document and refer to it there`,
		},
	},
	{
		what: "reference that is empty", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {$ref: ''}
`,
		want: []string{
			`6:17: the reference is empty: write one such as "#/components/schemas/Name"`,
		},
	},
	{
		what: "reference that is a list", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {$ref: [a]}
`,
		want: []string{
			`6:17: $ref is a list, but must be a string`,
		},
	},
	{
		what: "reference to a part of another kind", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {$ref: '#/components/responses/R'}
  responses:
    R: {description: d}
`,
		want: []string{
			`6:17: "#/components/responses/R" names a response, but a schema is expected: correct the reference`,
		},
	},
	{
		what: "reference to a scalar", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet: {$ref: '#/info/title'}
`,
		want: []string{
			`2:15: a string where a schema is expected: write an object`,
		},
	},
	{
		what: "references in a circle", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {$ref: '#/components/schemas/B'}
    B: {$ref: '#/components/schemas/A'}
    C: {$ref: '#/components/schemas/C'}
`,
		want: []string{
			`7:15: the schema "A" is made of itself without end: break the circle of $ref and allOf`,
			`8:15: the schema "C" is made of itself without end: break the circle of $ref and allOf`,
		},
	},
	{
		what: "parameters in a circle", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  parameters:
    A: {$ref: '#/components/parameters/B'}
    B: {$ref: '#/components/parameters/A'}
`,
		want: []string{
			`6:15: the references from "#/components/parameters/B" lead in a circle and never to a value: write the value in one of them`,
			`7:15: the references from "#/components/parameters/A" lead in a circle and never to a value: write the value in one of them`,
		},
	},
	{
		what: "allOf of itself", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A:
      allOf:
        - $ref: '#/components/schemas/A'
        - type: object
`,
		want: []string{
			`8:17: the schema "A" is made of itself without end: break the circle of $ref and allOf`,
		},
	},
	{
		what: "alternatives that are each other", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A:
      anyOf:
        - $ref: '#/components/schemas/B'
    B:
      description: b
      oneOf:
        - $ref: '#/components/schemas/A'
        - $ref: '#/components/schemas/B'
`,
		want: []string{
			`12:17: the schema "A" is made of itself without end: break the circle of $ref and allOf`,
			`13:17: the schema "B" is made of itself without end: break the circle of $ref and allOf`,
		},
	},
	{
		what: "a parent whose alternatives include it", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Pet:
      oneOf:
        - $ref: '#/components/schemas/Cat'
    Cat:
      allOf:
        - $ref: '#/components/schemas/Pet'
        - type: object
`,
		want: []string{
			`11:17: warning: the schema "Pet" is one of its own alternatives, which adds nothing to it: remove this one, ` +
				`or take the alternatives out of what they share`,
		},
	},
	{
		what: "constraints beside a reference", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: string}
    B: {$ref: '#/components/schemas/A', minLength: 3, description: d, nullable: true}
`,
		want: []string{
			`7:41: warning: "minLength" beside $ref is ignored in 3.0: put the $ref in an allOf, and this beside it`,
		},
	},
	{
		what: "type misspelt", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: strng}
    B: {type: int}
    C: {type: any}
    D: {type: String}
    E: {type: widget}
    F: {type: file}
    G: {type: 3}
    H: {type: }
`,
		want: []string{
			`6:15: "strng" is not a type: did you mean "string"?`,
			`7:15: warning: "int" is not a type, read as integer: write it so`,
			`8:15: warning: "any" is not a type, read as any value: leave type out`,
			`9:15: warning: the type "String" is read as string: write it so`,
			`10:15: "widget" is not a type: use one of string, number, integer, boolean, array and object`,
			`11:15: warning: the type "file" is one of Swagger 2.0, read as a binary string: write type: string and format: binary`,
			`12:15: type is a number, but must be the name of a type, such as string`,
			`13:15: warning: type is null, read as not written: remove it or give it a value`,
		},
	},
	{
		what: "list of types", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: [string, 'null']}
    B: {type: 'null'}
`,
		want: []string{
			`6:15: warning: a list of types is one of 3.1, read as there: use nullable, anyOf or oneOf, or name 3.1 as the document's version`,
			`6:24: warning: the type "null" is one of 3.1, read as there: use nullable: true`,
			`7:15: warning: the type "null" is one of 3.1, read as there: use nullable: true`,
		},
	},
	{
		what: "list of types in 3.1", file: "t.yaml",
		text: `openapi: 3.1.0
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: [string, 'null']}
    B: {type: [string, null]}
    C: {type: []}
    D: {type: [1]}
    E: {type: string, nullable: true}
`,
		want: []string{
			`7:24: warning: null in the list of types, read as the type "null": put it in quotes`,
			`8:15: the list of types is empty: name one or leave type out`,
			`9:16: a number in the list of types: write the names of types`,
			`10:23: warning: nullable is gone since 3.1, read as in 3.0: add "null" to the types`,
		},
	},
	{
		what: "required is not a list", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A:
      type: object
      properties:
        a: {type: string, required: true}
        b: {type: string, required: false}
    B: {type: object, required: a}
    C: {type: object, required: [a, a, 1, []]}
`,
		want: []string{
			`9:37: warning: required is a boolean and is ignored: put the property's name in the required list of the object that has it`,
			`10:37: warning: required is false, read as not written: a schema's required is a list of names, remove it`,
			`11:33: warning: required is a string, read as a list of one property name: write [a]`,
			`12:37: warning: "a" stands in required twice: remove one`,
			`12:40: warning: an entry of required is a number, but must be a string: put it in quotes`,
			`12:43: an entry of required is a list, but must be a string`,
		},
	},
	{
		what: "schema of the wrong kind", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: hello
    B: [1]
    C:
    D: true
    E: {properties: [a]}
    F: {items: 3}
    G: {allOf: {type: string}}
    H: {oneOf: []}
    I: {additionalProperties: [1]}
`,
		want: []string{
			`6:8: a string where a schema is expected: write an object`,
			`7:8: a list where a schema is expected: write an object`,
			`8:7: warning: null where a schema is expected, read as one that allows any value: write {}`,
			`9:8: warning: true as a schema is one of 3.1, read as there: write {} for any value`,
			`10:21: properties is a list, but must be an object of schemas by name`,
			`11:16: a number where a schema is expected: write an object`,
			`12:16: allOf is an object, but must be a list of schemas`,
			`13:16: warning: oneOf lists no schemas, read as not written: add one or remove it`,
			`14:31: additionalProperties is a list, but must be a schema or a boolean`,
		},
	},
	{
		what: "keywords misspelt", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: object, requried: [a], proprties: {}, x-mine: 1, zzzzzzzz: 2}
`,
		want: []string{
			`6:23: warning: "requried" is not a member of a schema and is ignored: did you mean "required"?`,
			`6:38: warning: "proprties" is not a member of a schema and is ignored: did you mean "properties"?`,
			`6:64: warning: "zzzzzzzz" is not a member of a schema and is ignored: remove it, or begin its name with "x-"`,
		},
	},
	{
		what: "keywords misspelt in 3.1", file: "t.yaml",
		text: `openapi: 3.1.0
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: object, requried: [a], zzzzzzzz: 2}
`,
		want: []string{
			`6:23: warning: "requried" is not a member of a schema and is ignored: did you mean "required"?`,
		},
	},
	{
		what: "keywords of 3.1", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {const: 1}
    B: {type: object, patternProperties: {a: {type: string}}}
    C: {type: number, exclusiveMinimum: 1}
`,
		want: []string{
			`6:9: warning: "const" is a keyword of 3.1, read as there: name 3.1 as the document's version or remove it`,
			`7:23: warning: "patternProperties" is a keyword of 3.1, read as there: name 3.1 as the document's version or remove it`,
			`8:41: warning: exclusiveMinimum is a number as in 3.1, read as there: in 3.0 it is a boolean beside minimum`,
		},
	},
	{
		what: "bounds", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: number, minimum: 3, maximum: 2}
    B: {type: string, minLength: -1, maxLength: 1.5}
    C: {type: number, multipleOf: 0}
    D: {type: number, exclusiveMaximum: true}
    E: {type: string, minLength: '3'}
    F: {type: string, maxLength: x}
    G: {type: array, items: {}, minItems: 2, maxItems: 1}
    H: {type: string, maxLength: 18446744073709551615}
`,
		want: []string{
			`6:32: warning: minimum is 3 and maximum is 2, so no value fits: correct one`,
			`7:34: warning: minLength is "-1", but must be a whole number from 0, so it is ignored: correct it`,
			`7:49: warning: maxLength is "1.5", but must be a whole number from 0, so it is ignored: correct it`,
			`8:35: warning: multipleOf is 0, but must be greater than 0, so it is ignored: correct it`,
			`9:23: warning: exclusiveMaximum is true without a maximum and means nothing: add the bound`,
			`10:34: warning: minLength is a string, but must be a number: remove the quotes`,
			`11:34: maxLength is a string, but must be a number`,
			`12:43: warning: minItems is 2 and maxItems is 1, so no value fits: correct one`,
		},
	},
	{
		what: "values of other types", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: string, enum: [a, 1, a, null]}
    B: {type: integer, default: x}
    C: {type: integer, default: 1.5}
    D: {type: string, nullable: true, default: null}
    E: {enum: []}
`,
		want: []string{
			`6:33: warning: the enum's value "1" is a number, read as a string since the type is string: write it so`,
			`6:36: warning: "a" stands in the enum twice: remove one`,
			`6:39: warning: the enum's value "null" is null, but the type is string: correct one`,
			`7:33: warning: the default is a string, but the type is integer, so the default is not used: correct one`,
			`8:33: warning: the default is a number, but the type is integer, so the default is not used: correct one`,
			`10:15: warning: enum lists no values, read as not written: add the values or remove it`,
		},
	},
	{
		what: "array without items", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: array}
`,
		want: []string{
			`6:15: warning: an array without items, read as one of any values: add items`,
		},
	},
	{
		what: "discriminator", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {discriminator: {}}
    B: {discriminator: {propertyName: k, mapping: {a: A, b: Bb, c: '#/components/schemas/A', d: [1]}}}
    C: {discriminator: kind}
    D: {discriminator: {propertyName: k, mapping: [1]}}
`,
		want: []string{
			`6:24: warning: the discriminator lacks propertyName and is ignored: add the name of the property that tells the schemas apart`,
			`7:61: warning: the mapping "Bb" names no schema and is ignored: did you mean "B"?`,
			`7:97: the mapping of "d" is a list, but must be the name of a schema or a reference`,
			`8:24: warning: discriminator is a string, but must be an object: write propertyName: kind in it`,
			`9:51: mapping is a list, but must be an object of schema names by value`,
		},
	},
	{
		what: "null for absent", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {type: string, description: , enum: , properties: , additionalProperties: , maximum: , default: }
`,
		want: []string{
			`6:36: warning: description is null, read as not written: remove it or give it a value`,
			`6:44: warning: enum is null, read as not written: remove it or give it a value`,
			`6:58: warning: properties is null, read as not written: remove it or give it a value`,
			`6:82: warning: additionalProperties is null, read as not written: remove it or give it a value`,
			`6:93: warning: maximum is null, read as not written: remove it or give it a value`,
			`6:104: warning: the default is null, but the type is string, so the default is not used: correct one`,
		},
	},
	{
		what: "scalars of the wrong kind", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {description: 3, title: true, readOnly: 'true', format: [], uniqueItems: maybe, minimum: '3'}
`,
		want: []string{
			`6:22: warning: description is a number, but must be a string: put it in quotes`,
			`6:32: warning: title is a boolean, but must be a string: put it in quotes`,
			`6:48: warning: readOnly is a string, but must be a boolean: remove the quotes`,
			`6:64: format is a list, but must be a string`,
			`6:81: uniqueItems is a string, but must be true or false`,
			`6:97: warning: minimum is a string, but must be a number: remove the quotes`,
		},
	},
	{
		what: "component names", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    'a b': {}
    A.b-c_1: {}
`,
		want: []string{
			`6:5: warning: the component's name "a b" has a character other than letters, digits, '.', '-' and '_': rename it`,
		},
	},
	{
		what: "path parameters", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a/{id}/{x}:
    get:
      parameters:
        - {name: id, in: path, schema: {type: string}}
        - {name: y, in: path, required: true, schema: {type: string}}
      responses: {'200': {description: d}}
`,
		want: []string{
			`5:5: warning: the operation declares no path parameter "x" for the path "/a/{id}/{x}", read as a string: add it to the parameters`,
			`7:11: warning: the path parameter "id" is not required, read as if it were: add required: true`,
			`8:11: warning: the path "/a/{id}/{x}" has no {y}, so this parameter is left out: add it to the path or remove it here`,
		},
	},
	{
		what: "key in a cookie", file: "t.yaml",
		text: `swagger: '2.0'
info: {title: t, version: '1'}
securityDefinitions:
  session: {type: apiKey, in: cookie, name: sid}
paths: {}
`,
		want: []string{`4:12: warning: an apiKey in a cookie is of OpenAPI 3: it is read as there`},
	},
	{
		what: "path templates", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a/{id: {}
  /b/{}: {}
  /c/{x}/{x}: {}
  /d/{x}: {}
  /d/{y}: {}
  e: {}
`,
		want: []string{
			`4:3: warning: the braces of the path "/a/{id" do not pair, read as plain characters: write each parameter as {name}`,
			`5:3: warning: the braces of the path "/b/{}" do not pair, read as plain characters: write each parameter as {name}`,
			`6:3: warning: the path "/c/{x}/{x}" has the parameter "x" twice, so both get one value: rename one`,
			`8:3: warning: the path "/d/{y}" matches the same as "/d/{x}" at 7:3: keep one of them`,
			`9:3: warning: the path "e" does not begin with a slash: write "/e"`,
		},
	},
	{
		what: "operationId twice", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    get: {operationId: x, responses: {'200': {description: d}}}
  /b:
    get: {operationId: x, responses: {'200': {description: d}}}
`,
		want: []string{
			`7:24: warning: the operationId "x" is taken by the operation at 5:24: rename one`,
		},
	},
	{
		what: "parameters twice", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    get:
      parameters:
        - {name: q, in: query, schema: {}}
        - {name: q, in: query, schema: {}}
        - {name: Q, in: header, schema: {}}
        - {name: q, in: header, schema: {}}
      responses: {'200': {description: d}}
`,
		want: []string{
			`8:11: warning: the query parameter "q" stands here twice, the first at 7:11 is used: remove one`,
			`10:11: warning: the header parameter "q" stands here twice, the first at 9:11 is used: remove one`,
		},
	},
	{
		what: "parameters", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    get:
      parameters:
        - {in: query, schema: {}}
        - {name: a, schema: {}}
        - {name: b, in: body, schema: {}}
        - {name: c, in: Query, schema: {}}
        - {name: d, in: query}
        - {name: e, in: query, schema: {}, content: {a/b: {}}}
        - {name: f, in: query, content: {a/b: {}, c/d: {}}}
        - {name: g, in: header, style: form, schema: {}}
        - {name: h, in: query, style: frm, schema: {}}
        - 3
      responses: {'200': {description: d}}
`,
		want: []string{
			`7:11: the parameter lacks name: add it`,
			`8:11: the parameter lacks in: add path, query, header or cookie`,
			`9:25: in is "body", but must be path, query, header or cookie: choose one of them`,
			`10:25: warning: in is "Query", read as "query": write it so`,
			`11:11: warning: the parameter has neither schema nor content, so any value is allowed: add a schema`,
			`12:44: warning: the parameter has both schema and content, of which schema is used: remove one`,
			`13:32: warning: the content of the parameter has 2 media types, but must have one`,
			`14:40: warning: the style form does not go with a header parameter, read as simple: choose another`,
			`15:39: style is "frm", but must be form, simple, label, matrix, spaceDelimited, pipeDelimited, ` +
				`deepObject or cookie: did you mean "form"?`,
			`16:11: a number where a parameter is expected: write an object`,
		},
	},
	{
		what: "parameters and discriminators with empty names", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    get:
      parameters:
        - {name: '', in: query, schema: {}}
        - {name: a, in: , schema: {}}
      responses: {'200': {description: d}}
components:
  schemas:
    A: {discriminator: {propertyName: ''}}
`,
		want: []string{
			`7:11: the parameter lacks name: add it`,
			`8:11: the parameter lacks in: add path, query, header or cookie`,
			`8:25: warning: in is null, read as not written: remove it or give it a value`,
			`12:24: warning: the discriminator lacks propertyName and is ignored: add the name of the property that tells the schemas apart`,
		},
	},
	{
		what: "a name longer than any suggestion", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    A: {$ref: '#/components/schemas/` + strings.Repeat("x", 120) + `'}
`,
		want: []string{
			`6:15: "#/components/schemas/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" names nothing, ` +
				`there is no "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" in #/components/schemas: ` +
				`define it or correct the reference`,
		},
	},
	{
		what: "responses", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    get:
      responses:
        200: {description: d}
        20x: {description: d}
        5xx: {description: d}
        okay: {description: d}
        '404': {}
        '405': hello
    put: {}
    post: 3
    gett: {}
`,
		want: []string{
			`8:9: warning: "20x" is not a response status, kept as it is: write 200, 4XX or default`,
			`9:9: warning: the response status "5xx" is read as "5XX": write it so`,
			`10:9: warning: "okay" is not a response status, kept as it is: write 200, 4XX or default`,
			`11:16: warning: the response lacks description: add it`,
			`12:16: a string where a response is expected: write an object`,
			`13:5: warning: the operation lacks responses: add it with at least one`,
			`14:11: a number where an operation is expected: write an object`,
			`15:5: warning: "gett" is not a member of a path item and is ignored: did you mean "get"?`,
		},
	},
	{
		what: "content", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    put:
      requestBody: {}
      responses: {'200': {description: d, content: {json: {schema: {}}, application/json: [1]}}}
    post:
      requestBody: {content: [1]}
      responses: [a]
`,
		want: []string{
			`6:20: warning: the request body lacks content: add it`,
			`7:53: warning: "json" is not a media type: write one such as application/json`,
			`7:91: a list where a media type is expected: write an object`,
			`9:30: content is a list, but must be an object of media types by name`,
			`10:18: responses is a list, but must be an object of responses by name`,
		},
	},
	{
		what: "security", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
security: [{keys: []}, 3]
components:
  securitySchemes:
    key: {type: apiKey, name: k}
    o: {type: oath2}
    h: {type: http}
`,
		want: []string{
			`4:13: warning: there is no security scheme "keys": did you mean "key"?`,
			`4:24: a number where a security requirement is expected: write an object`,
			`7:10: warning: an apiKey security scheme lacks in: add it`,
			`8:15: type is "oath2", but must be apiKey, http, mutualTLS, oauth2 or openIdConnect: did you mean "oauth2"?`,
			`9:8: warning: an http security scheme lacks scheme: add it`,
		},
	},
	{
		what: "path items in a circle", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a: {$ref: '#/paths/~1b'}
  /b: {$ref: '#/paths/~1a'}
`,
		want: []string{
			`4:14: the references from "#/paths/~1b" lead in a circle and never to a value: write the value in one of them`,
			`5:14: the references from "#/paths/~1a" lead in a circle and never to a value: write the value in one of them`,
		},
	},
	{
		what: "tags and servers", file: "t.yaml",
		text: `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {}
tags: [a, {name: a}, {description: d}]
servers: [{description: d}, 1]
externalDocs: []
`,
		want: []string{
			`4:8: warning: a tag is a string, but must be an object: write name: a`,
			`4:11: warning: the tag "a" is declared twice, first at 4:8: remove one`,
			`4:22: warning: a tag lacks name: add it`,
			`5:11: warning: a server lacks url: add it`,
			`5:29: a number where a server is expected: write an object`,
			`6:15: warning: an empty list where an externalDocs object is expected, read as an empty object: write {}`,
		},
	},
	{
		what: "Swagger parameters", file: "t.yaml",
		text: `swagger: '2.0'
info: {title: t, version: '1'}
paths:
  /a/{id}:
    get:
      parameters:
        - {in: body, name: a, schema: {}}
        - {in: body, name: b, schema: {}}
        - {in: formData, name: c, type: string}
        - {in: cookie, name: d, type: string}
        - {$ref: '#/parameters/non'}
      responses: {'200': {description: d}, oops: {description: d}}
parameters:
  none: {in: query, name: n, type: strin}
hosst: a
`,
		want: []string{
			`5:5: warning: the operation declares no path parameter "id" for the path "/a/{id}", read as a string: add it to the parameters`,
			`8:11: a second body parameter, the first is at 7:11: keep one`,
			`9:11: a form parameter beside a body parameter: an operation has one or the other`,
			`10:16: in is "cookie", but must be path, query, header, body or formData: choose one of them`,
			`11:18: "#/parameters/non" names nothing, there is no "non" in #/parameters: did you mean "#/parameters/none"?`,
			`12:44: warning: "oops" is not a response status, kept as it is: write 200, 4XX or default`,
			`14:36: "strin" is not a type: did you mean "string"?`,
			`15:1: warning: "hosst" is not a member of a Swagger document and is ignored: did you mean "host"?`,
		},
	},
	{
		what: "Swagger choices", file: "t.yaml",
		text: `swagger: '2.0'
info: {title: t, version: '1'}
paths: {}
definitions:
  a: {items: [{type: string}, {type: integer}]}
  b: {type: array, items: [{type: string}, {type: integer}]}
`,
		want: []string{
			`5:14: warning: items is a list, but the type is not array, read as a choice between its schemas, ` +
				`as which 2.0 documents mean it: use anyOf of 3.0, or add the type`,
			`6:27: warning: items is a list, read as prefixItems: write it so`,
		},
	},
}

func TestDiagnostics(t *testing.T) {
	for _, row := range diagnosticRows {
		t.Run(row.what, func(t *testing.T) {
			_, found := Parse(row.file, []byte(row.text), ReadFile(noFiles))
			var got []string
			for _, d := range found {
				got = append(got, strings.TrimPrefix(d.String(), row.file+":"))
			}
			if strings.Join(got, "\n") != strings.Join(row.want, "\n") {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}
}
