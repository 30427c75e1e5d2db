package corpus

// Canada is canada_geometry: an outline of the country, nearly all numbers.
type Canada struct {
	Type     string          `json:"type"`
	Features []CanadaFeature `json:"features"`
}

// CanadaFeature is one shape with its properties.
type CanadaFeature struct {
	Type       string           `json:"type"`
	Properties CanadaProperties `json:"properties"`
	Geometry   CanadaGeometry   `json:"geometry"`
}

// CanadaProperties names a shape.
type CanadaProperties struct {
	Name string `json:"name"`
}

// CanadaGeometry holds rings of points.
type CanadaGeometry struct {
	Type        string         `json:"type"`
	Coordinates [][][2]float64 `json:"coordinates"`
}
