package corpus

// Citm is citm_catalog: concerts and their seats, keyed by number, with a
// quarter of the text in white space.
type Citm struct {
	AreaNames                map[string]string    `json:"areaNames"`
	AudienceSubCategoryNames map[string]string    `json:"audienceSubCategoryNames"`
	BlockNames               map[string]string    `json:"blockNames"`
	Events                   map[string]CitmEvent `json:"events"`
	Performances             []CitmPerformance    `json:"performances"`
	SeatCategoryNames        map[string]string    `json:"seatCategoryNames"`
	SubTopicNames            map[string]string    `json:"subTopicNames"`
	SubjectNames             map[string]string    `json:"subjectNames"`
	TopicNames               map[string]string    `json:"topicNames"`
	TopicSubTopics           map[string][]int     `json:"topicSubTopics"`
	VenueNames               map[string]string    `json:"venueNames"`
}

// CitmEvent is a concert.
type CitmEvent struct {
	Description *string `json:"description"`
	ID          int     `json:"id"`
	Logo        *string `json:"logo"`
	Name        string  `json:"name"`
	SubTopicIDs []int   `json:"subTopicIds"`
	SubjectCode *string `json:"subjectCode"`
	Subtitle    *string `json:"subtitle"`
	TopicIDs    []int   `json:"topicIds"`
}

// CitmPerformance is one evening of a concert.
type CitmPerformance struct {
	EventID        int                `json:"eventId"`
	ID             int                `json:"id"`
	Logo           *string            `json:"logo"`
	Name           *string            `json:"name"`
	Prices         []CitmPrice        `json:"prices"`
	SeatCategories []CitmSeatCategory `json:"seatCategories"`
	SeatMapImage   *string            `json:"seatMapImage"`
	Start          int64              `json:"start"`
	VenueCode      string             `json:"venueCode"`
}

// CitmPrice is what a seat costs.
type CitmPrice struct {
	Amount                int `json:"amount"`
	AudienceSubCategoryID int `json:"audienceSubCategoryId"`
	SeatCategoryID        int `json:"seatCategoryId"`
}

// CitmSeatCategory groups areas.
type CitmSeatCategory struct {
	Areas          []CitmArea `json:"areas"`
	SeatCategoryID int        `json:"seatCategoryId"`
}

// CitmArea groups blocks.
type CitmArea struct {
	AreaID   int   `json:"areaId"`
	BlockIDs []int `json:"blockIds"`
}
