package gen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// shapes returns what each declaration is: "Cat struct", "Pet union cat:Cat *:PetBase".
func shapesOf(pkg *ir.Package) []string {
	var out []string
	for _, d := range pkg.Decls {
		text := d.Name
		switch d.Kind {
		case ir.Struct:
			text += " struct"
		case ir.Alias:
			text += " = " + newPrinter().typeName(d.Type)
		case ir.Union:
			text += " union"
			for _, v := range d.Union.Variants {
				values := slices.Clone(v.Values)
				if v.Other {
					values = append(values, "*")
				}
				text += fmt.Sprintf(" %s:%s", strings.Join(values, ","), v.Decl.Name)
			}
		default:
			text += " other"
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

// A schema with a discriminator that others build on is a union of them.
func TestFamilies(t *testing.T) {
	const head = `{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {}, components: {schemas: {`
	const ref = `{$ref: "#/components/schemas/`
	for _, tt := range []struct {
		name, schemas, want string
		opts                Options
	}{
		{"implied names", `Pet: {discriminator: {propertyName: t}}, Cat: {allOf: [` + ref +
			`Pet"}, {properties: {a: {}}}]}, Dog: {allOf: [` + ref + `Pet"}]}`,
			"Cat struct; Dog struct; Pet union Cat:Cat Dog:Dog Pet,*:PetBase; PetBase struct", Options{}},
		{"no heirs", `Pet: {discriminator: {propertyName: t}}, Own: {properties: {p: ` + ref + `Pet"}}}`,
			"Own struct; Pet struct", Options{}},
		{"a reference builds on nothing", `Pet: {discriminator: {propertyName: t}}, Own: ` + ref + `Pet"}`,
			"Own = Pet; Pet struct", Options{}},
		{"mapping",
			`Pet: {discriminator: {propertyName: t, mapping: {c: Cat, k: "#/components/schemas/Cat", p: Pet}}}, Cat: {allOf: [` +
				ref + `Pet"}]}, Alike: {allOf: [` + ref + `Pet"}]}`,
			"Alike = Pet; Cat struct; Pet union c,k:Cat p,*:PetBase; PetBase struct", Options{}},
		{"a mapping to what does not build on it",
			`Pet: {discriminator: {propertyName: t, mapping: {c: Cat}}, properties: {n: {type: string}}}, Cat: {properties: {a: {}}}`,
			"Cat struct; Pet union c:PetCat Pet,*:PetBase; PetBase struct; PetCat struct", Options{}},
		{"default", `Pet: {discriminator: {propertyName: t, defaultMapping: Cat}}, Cat: {allOf: [` + ref + `Pet"}]}`,
			"Cat struct; Pet union Cat,*:Cat Pet:PetBase; PetBase struct", Options{}},
		{"constants", `Pet: {discriminator: {propertyName: t}}, Cat: {allOf: [` + ref +
			`Pet"}, {properties: {t: {enum: [c]}}}]}, Sold: {allOf: [` + ref + `Cat"}, {properties: {a: {}}}]}`,
			"Cat struct; Pet union c:Cat Pet,*:PetBase; PetBase struct; Sold struct", Options{}},
		{"listed values", `Pet: {discriminator: {propertyName: t}, properties: {t: {enum: [Cat, Pet]}}}, Cat: {allOf: [` +
			ref + `Pet"}, {properties: {a: {}}}]}, Sold: {allOf: [` + ref + `Pet"}, {properties: {b: {}}}]}`,
			"Cat struct; Pet union Cat:Cat Pet,*:PetBase; PetBase struct; PetT other; Sold struct", Options{}},
		{"two levels", `Pet: {discriminator: {propertyName: t}}, Dog: {allOf: [` + ref +
			`Pet"}, {properties: {a: {}}}]}, Pug: {allOf: [` + ref + `Dog"}, {properties: {b: {}}}]}`,
			"Dog union Pug:Pug Dog,*:DogBase; DogBase struct; Pet union Dog:DogBase Pug:Pug Pet,*:PetBase; PetBase struct; Pug struct", Options{}},
		{"two discriminators", `Pet: {discriminator: {propertyName: t}}, Dog: {discriminator: {propertyName: u}, allOf: [` +
			ref + `Pet"}]}, Pug: {allOf: [` + ref + `Dog"}, {properties: {b: {}}}]}`,
			"Dog union Pug:Pug Dog,*:DogBase; DogBase struct; Pet union Dog:Dog Pet,*:PetBase; PetBase struct; Pug struct", Options{}},
		{"a name that is taken", `Pet: {discriminator: {propertyName: t}}, PetBase: {allOf: [` + ref + `Pet"}]}`,
			"Pet union PetBase:PetBase Pet,*:PetModel; PetBase struct; PetModel struct", Options{}},
		{"left out", `Pet: {discriminator: {propertyName: t}}, Cat: {allOf: [` + ref +
			`Pet"}, {properties: {a: {}}}]}, Dog: {allOf: [` + ref + `Pet"}]}`,
			"Dog struct; Pet union Dog:Dog Pet,*:PetBase; PetBase struct", Options{Select: openapi.Selection{NoSchemas: []string{"Cat"}}}},
		{"brought along", `Pet: {discriminator: {propertyName: t}}, Cat: {allOf: [` + ref +
			`Pet"}, {properties: {a: {}}}]}, Own: {properties: {p: ` + ref + `Pet"}}}, Not: {type: object, properties: {a: {}}}`,
			"Cat struct; Own struct; Pet union Cat:Cat Pet,*:PetBase; PetBase struct", Options{Select: openapi.Selection{Schemas: []string{"Own"}}}},
		{"renamed", `Pet: {discriminator: {propertyName: t}}, Cat: {allOf: [` + ref + `Pet"}, {properties: {a: {}}}]}`,
			"Animal union Cat:Cat Pet,*:AnimalBase; AnimalBase struct; Cat struct", Options{Rename: map[string]string{"Pet": "Animal"}}},
		{"a choice of what builds on it", `Pet: {oneOf: [` + ref + `Cat"}, ` + ref +
			`Dog"}], discriminator: {propertyName: t}, properties: {t: {enum: [Cat, Dog]}}}, Cat: {allOf: [` + ref +
			`Pet"}, {properties: {a: {}}}]}, Dog: {allOf: [` + ref + `Pet"}, {properties: {b: {}}}]}`,
			"Cat struct; Dog struct; Pet union Cat:Cat Dog:Dog; PetT other", Options{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.opts.Package = "api"
			pkg, _ := lower(parseDoc(t, head+tt.schemas+"}}}"), tt.opts)
			if got := strings.Join(shapesOf(pkg), "; "); got != tt.want {
				t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
			}
			if _, err := Print(pkg); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
		})
	}
}

// Discriminators of Swagger 2.0 are names of schemas, or what Azure's documents say.
func TestFamilySwagger2(t *testing.T) {
	pkg, _ := lower(parseDoc(t, `{swagger: "2.0", info: {title: t, version: "1"}, paths: {}, definitions: {
		Pet: {discriminator: t, required: [t], properties: {t: {type: string}}},
		Cat: {allOf: [{$ref: "#/definitions/Pet"}]}, Dog: {x-ms-discriminator-value: "#Dog", allOf: [{$ref: "#/definitions/Pet"}]}}}`), Options{})
	if got := strings.Join(shapesOf(pkg), "; "); got != "Cat struct; Dog struct; Pet union Cat:Cat #Dog:Dog Pet,*:PetBase; PetBase struct" {
		t.Error(got)
	}
}
