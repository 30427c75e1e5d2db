package corpus

// Twitter is twitter_status: the answer to a search, mostly Japanese text.
type Twitter struct {
	Statuses       []TwitterStatus       `json:"statuses"`
	SearchMetadata TwitterSearchMetadata `json:"search_metadata"`
}

// TwitterSearchMetadata describes the search.
type TwitterSearchMetadata struct {
	CompletedIn float64 `json:"completed_in"`
	MaxID       int64   `json:"max_id"`
	MaxIDStr    string  `json:"max_id_str"`
	NextResults string  `json:"next_results"`
	Query       string  `json:"query"`
	RefreshURL  string  `json:"refresh_url"`
	Count       int     `json:"count"`
	SinceID     int64   `json:"since_id"`
	SinceIDStr  string  `json:"since_id_str"`
}

// TwitterStatus is a tweet.
type TwitterStatus struct {
	Metadata             TwitterMetadata `json:"metadata"`
	CreatedAt            string          `json:"created_at"`
	ID                   int64           `json:"id"`
	IDStr                string          `json:"id_str"`
	Text                 string          `json:"text"`
	Source               string          `json:"source"`
	Truncated            bool            `json:"truncated"`
	InReplyToStatusID    *int64          `json:"in_reply_to_status_id"`
	InReplyToStatusIDStr *string         `json:"in_reply_to_status_id_str"`
	InReplyToUserID      *int64          `json:"in_reply_to_user_id"`
	InReplyToUserIDStr   *string         `json:"in_reply_to_user_id_str"`
	InReplyToScreenName  *string         `json:"in_reply_to_screen_name"`
	User                 TwitterUser     `json:"user"`
	Geo                  any             `json:"geo"`
	Coordinates          any             `json:"coordinates"`
	Place                any             `json:"place"`
	Contributors         any             `json:"contributors"`
	RetweetedStatus      *TwitterStatus  `json:"retweeted_status,omitempty"`
	RetweetCount         int             `json:"retweet_count"`
	FavoriteCount        int             `json:"favorite_count"`
	Entities             TwitterEntities `json:"entities"`
	Favorited            bool            `json:"favorited"`
	Retweeted            bool            `json:"retweeted"`
	PossiblySensitive    *bool           `json:"possibly_sensitive,omitempty"`
	Lang                 string          `json:"lang"`
}

// TwitterMetadata says why a tweet was found.
type TwitterMetadata struct {
	ResultType      string `json:"result_type"`
	ISOLanguageCode string `json:"iso_language_code"`
}

// TwitterUser is the author of a tweet.
type TwitterUser struct {
	ID                             int64               `json:"id"`
	IDStr                          string              `json:"id_str"`
	Name                           string              `json:"name"`
	ScreenName                     string              `json:"screen_name"`
	Location                       string              `json:"location"`
	Description                    string              `json:"description"`
	URL                            *string             `json:"url"`
	Entities                       TwitterUserEntities `json:"entities"`
	Protected                      bool                `json:"protected"`
	FollowersCount                 int                 `json:"followers_count"`
	FriendsCount                   int                 `json:"friends_count"`
	ListedCount                    int                 `json:"listed_count"`
	CreatedAt                      string              `json:"created_at"`
	FavouritesCount                int                 `json:"favourites_count"`
	UTCOffset                      *int                `json:"utc_offset"`
	TimeZone                       *string             `json:"time_zone"`
	GeoEnabled                     bool                `json:"geo_enabled"`
	Verified                       bool                `json:"verified"`
	StatusesCount                  int                 `json:"statuses_count"`
	Lang                           string              `json:"lang"`
	ContributorsEnabled            bool                `json:"contributors_enabled"`
	IsTranslator                   bool                `json:"is_translator"`
	IsTranslationEnabled           bool                `json:"is_translation_enabled"`
	ProfileBackgroundColor         string              `json:"profile_background_color"`
	ProfileBackgroundImageURL      string              `json:"profile_background_image_url"`
	ProfileBackgroundImageURLHTTPS string              `json:"profile_background_image_url_https"`
	ProfileBackgroundTile          bool                `json:"profile_background_tile"`
	ProfileImageURL                string              `json:"profile_image_url"`
	ProfileImageURLHTTPS           string              `json:"profile_image_url_https"`
	ProfileBannerURL               string              `json:"profile_banner_url,omitempty"`
	ProfileLinkColor               string              `json:"profile_link_color"`
	ProfileSidebarBorderColor      string              `json:"profile_sidebar_border_color"`
	ProfileSidebarFillColor        string              `json:"profile_sidebar_fill_color"`
	ProfileTextColor               string              `json:"profile_text_color"`
	ProfileUseBackgroundImage      bool                `json:"profile_use_background_image"`
	DefaultProfile                 bool                `json:"default_profile"`
	DefaultProfileImage            bool                `json:"default_profile_image"`
	Following                      bool                `json:"following"`
	FollowRequestSent              bool                `json:"follow_request_sent"`
	Notifications                  bool                `json:"notifications"`
}

// TwitterUserEntities are the links of an author.
type TwitterUserEntities struct {
	Description TwitterURLs  `json:"description"`
	URL         *TwitterURLs `json:"url,omitempty"`
}

// TwitterURLs is a list of links.
type TwitterURLs struct {
	URLs []TwitterURL `json:"urls"`
}

// TwitterURL is a link and its place in the text.
type TwitterURL struct {
	URL         string `json:"url"`
	ExpandedURL string `json:"expanded_url"`
	DisplayURL  string `json:"display_url"`
	Indices     []int  `json:"indices"`
}

// TwitterEntities are the parts of a tweet's text.
type TwitterEntities struct {
	Hashtags     []TwitterHashtag `json:"hashtags"`
	Symbols      []TwitterHashtag `json:"symbols"`
	URLs         []TwitterURL     `json:"urls"`
	UserMentions []TwitterMention `json:"user_mentions"`
	Media        []TwitterMedia   `json:"media,omitempty"`
}

// TwitterHashtag is a tag and its place in the text.
type TwitterHashtag struct {
	Text    string `json:"text"`
	Indices []int  `json:"indices"`
}

// TwitterMention is a user named in the text.
type TwitterMention struct {
	ScreenName string `json:"screen_name"`
	Name       string `json:"name"`
	ID         int64  `json:"id"`
	IDStr      string `json:"id_str"`
	Indices    []int  `json:"indices"`
}

// TwitterMedia is a picture.
type TwitterMedia struct {
	ID                int64        `json:"id"`
	IDStr             string       `json:"id_str"`
	Indices           []int        `json:"indices"`
	MediaURL          string       `json:"media_url"`
	MediaURLHTTPS     string       `json:"media_url_https"`
	URL               string       `json:"url"`
	DisplayURL        string       `json:"display_url"`
	ExpandedURL       string       `json:"expanded_url"`
	Type              string       `json:"type"`
	Sizes             TwitterSizes `json:"sizes"`
	SourceStatusID    int64        `json:"source_status_id,omitempty"`
	SourceStatusIDStr string       `json:"source_status_id_str,omitempty"`
}

// TwitterSizes are the sizes a picture comes in.
type TwitterSizes struct {
	Medium TwitterSize `json:"medium"`
	Small  TwitterSize `json:"small"`
	Thumb  TwitterSize `json:"thumb"`
	Large  TwitterSize `json:"large"`
}

// TwitterSize is one size of a picture.
type TwitterSize struct {
	W      int    `json:"w"`
	H      int    `json:"h"`
	Resize string `json:"resize"`
}
