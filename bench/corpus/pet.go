package corpus

// PetJSON is a small document of 144 bytes, as services exchange them by the
// million.
const PetJSON = `{"id":401775,"name":"Fluffy","category":{"id":3,"name":"cats"},"photoUrls":["https://pets.example.org/40177/1"],"tags":["kind"],"status":"sold"}`

// Pet is the type of [PetJSON].
type Pet struct {
	ID        int64       `json:"id"`
	Name      string      `json:"name"`
	Category  PetCategory `json:"category"`
	PhotoURLs []string    `json:"photoUrls"`
	Tags      []string    `json:"tags"`
	Status    string      `json:"status"`
}

// PetCategory is the kind of a pet.
type PetCategory struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// TaggedPetJSON is the petstore document of the OpenAPI tables: `tag` is an
// array of strings.
const TaggedPetJSON = `{"id":40177,"name":"Fluffy","tag":["kind","black","house trained"]}`

// TaggedPet is the type of [TaggedPetJSON].
type TaggedPet struct {
	ID   int64    `json:"id"`
	Name string   `json:"name"`
	Tag  []string `json:"tag"`
}
