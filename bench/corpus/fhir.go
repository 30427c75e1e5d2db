package corpus

// Fhir is synthea_fhir: the medical record of an invented patient, deep
// objects with many optional members and long runs of indentation.
type Fhir struct {
	ResourceType string      `json:"resourceType"`
	Type         string      `json:"type"`
	Entry        []FhirEntry `json:"entry"`
}

// FhirEntry is one resource with the request that stores it.
type FhirEntry struct {
	FullURL  string       `json:"fullUrl"`
	Resource FhirResource `json:"resource"`
	Request  FhirRequest  `json:"request"`
}

// FhirRequest says how a resource is stored.
type FhirRequest struct {
	Method string `json:"method"`
	URL    string `json:"url"`
}

// FhirResource is the union of all kinds of resources. The three members that
// are an array in one kind and an object or a string in another are dynamic.
type FhirResource struct {
	ResourceType              string               `json:"resourceType"`
	ID                        string               `json:"id"`
	Text                      *FhirText            `json:"text,omitempty"`
	Extension                 []FhirExtension      `json:"extension,omitempty"`
	Identifier                []FhirIdentifier     `json:"identifier,omitempty"`
	Name                      any                  `json:"name,omitempty"`
	Telecom                   []FhirTelecom        `json:"telecom,omitempty"`
	Gender                    string               `json:"gender,omitempty"`
	BirthDate                 string               `json:"birthDate,omitempty"`
	DeceasedDateTime          string               `json:"deceasedDateTime,omitempty"`
	Address                   []FhirAddress        `json:"address,omitempty"`
	MaritalStatus             *FhirConcept         `json:"maritalStatus,omitempty"`
	MultipleBirthBoolean      *bool                `json:"multipleBirthBoolean,omitempty"`
	Communication             []FhirCommunication  `json:"communication,omitempty"`
	Active                    *bool                `json:"active,omitempty"`
	Type                      any                  `json:"type,omitempty"`
	Status                    string               `json:"status,omitempty"`
	Class                     *FhirCoding          `json:"class,omitempty"`
	Subject                   *FhirReference       `json:"subject,omitempty"`
	Participant               []FhirParticipant    `json:"participant,omitempty"`
	Period                    *FhirPeriod          `json:"period,omitempty"`
	ServiceProvider           *FhirReference       `json:"serviceProvider,omitempty"`
	ClinicalStatus            *FhirConcept         `json:"clinicalStatus,omitempty"`
	VerificationStatus        *FhirConcept         `json:"verificationStatus,omitempty"`
	Code                      *FhirConcept         `json:"code,omitempty"`
	Encounter                 *FhirReference       `json:"encounter,omitempty"`
	OnsetDateTime             string               `json:"onsetDateTime,omitempty"`
	RecordedDate              string               `json:"recordedDate,omitempty"`
	Use                       string               `json:"use,omitempty"`
	Patient                   *FhirReference       `json:"patient,omitempty"`
	BillablePeriod            *FhirPeriod          `json:"billablePeriod,omitempty"`
	Created                   string               `json:"created,omitempty"`
	Provider                  *FhirReference       `json:"provider,omitempty"`
	Priority                  *FhirConcept         `json:"priority,omitempty"`
	Diagnosis                 []FhirDiagnosis      `json:"diagnosis,omitempty"`
	Insurance                 []FhirInsurance      `json:"insurance,omitempty"`
	Item                      []FhirItem           `json:"item,omitempty"`
	Total                     any                  `json:"total,omitempty"`
	Contained                 []FhirContained      `json:"contained,omitempty"`
	Insurer                   *FhirReference       `json:"insurer,omitempty"`
	Referral                  *FhirReference       `json:"referral,omitempty"`
	Claim                     *FhirReference       `json:"claim,omitempty"`
	Outcome                   string               `json:"outcome,omitempty"`
	CareTeam                  []FhirCareTeam       `json:"careTeam,omitempty"`
	Payment                   *FhirPayment         `json:"payment,omitempty"`
	ReasonCode                []FhirConcept        `json:"reasonCode,omitempty"`
	ManagingOrganization      []FhirReference      `json:"managingOrganization,omitempty"`
	Intent                    string               `json:"intent,omitempty"`
	Category                  []FhirConcept        `json:"category,omitempty"`
	Addresses                 []FhirReference      `json:"addresses,omitempty"`
	Activity                  []FhirActivity       `json:"activity,omitempty"`
	MedicationCodeableConcept *FhirConcept         `json:"medicationCodeableConcept,omitempty"`
	AuthoredOn                string               `json:"authoredOn,omitempty"`
	Requester                 *FhirReference       `json:"requester,omitempty"`
	ReasonReference           []FhirReference      `json:"reasonReference,omitempty"`
	Prescription              *FhirReference       `json:"prescription,omitempty"`
	LifecycleStatus           string               `json:"lifecycleStatus,omitempty"`
	AchievementStatus         *FhirConcept         `json:"achievementStatus,omitempty"`
	Description               *FhirConcept         `json:"description,omitempty"`
	Goal                      []FhirReference      `json:"goal,omitempty"`
	AbatementDateTime         string               `json:"abatementDateTime,omitempty"`
	EffectiveDateTime         string               `json:"effectiveDateTime,omitempty"`
	Issued                    string               `json:"issued,omitempty"`
	ValueQuantity             *FhirQuantity        `json:"valueQuantity,omitempty"`
	PerformedPeriod           *FhirPeriod          `json:"performedPeriod,omitempty"`
	DosageInstruction         []FhirDosage         `json:"dosageInstruction,omitempty"`
	Started                   string               `json:"started,omitempty"`
	NumberOfSeries            int                  `json:"numberOfSeries,omitempty"`
	NumberOfInstances         int                  `json:"numberOfInstances,omitempty"`
	Series                    []FhirSeries         `json:"series,omitempty"`
	Procedure                 []FhirProcedure      `json:"procedure,omitempty"`
	VaccineCode               *FhirConcept         `json:"vaccineCode,omitempty"`
	OccurrenceDateTime        string               `json:"occurrenceDateTime,omitempty"`
	PrimarySource             *bool                `json:"primarySource,omitempty"`
	SupportingInfo            []FhirSupportingInfo `json:"supportingInfo,omitempty"`
	Component                 []FhirComponent      `json:"component,omitempty"`
	ValueCodeableConcept      *FhirConcept         `json:"valueCodeableConcept,omitempty"`
	Result                    []FhirReference      `json:"result,omitempty"`
}

// FhirText is a resource as text for people.
type FhirText struct {
	Status string `json:"status"`
	Div    string `json:"div"`
}

// FhirExtension is a value that the standard does not know, recursive.
type FhirExtension struct {
	URL          string          `json:"url"`
	Extension    []FhirExtension `json:"extension,omitempty"`
	ValueCoding  *FhirCoding     `json:"valueCoding,omitempty"`
	ValueString  string          `json:"valueString,omitempty"`
	ValueCode    string          `json:"valueCode,omitempty"`
	ValueAddress *FhirAddress    `json:"valueAddress,omitempty"`
	ValueDecimal *float64        `json:"valueDecimal,omitempty"`
}

// FhirIdentifier is a name in a register.
type FhirIdentifier struct {
	System string       `json:"system"`
	Value  string       `json:"value"`
	Type   *FhirConcept `json:"type,omitempty"`
	Use    string       `json:"use,omitempty"`
}

// FhirTelecom is a phone number or mail address.
type FhirTelecom struct {
	System string `json:"system"`
	Value  string `json:"value"`
	Use    string `json:"use,omitempty"`
}

// FhirAddress is a postal address.
type FhirAddress struct {
	Extension  []FhirExtension `json:"extension,omitempty"`
	Line       []string        `json:"line,omitempty"`
	City       string          `json:"city"`
	State      string          `json:"state"`
	PostalCode string          `json:"postalCode,omitempty"`
	Country    string          `json:"country"`
}

// FhirConcept is a thing named in one or more coding systems.
type FhirConcept struct {
	Coding []FhirCoding `json:"coding,omitempty"`
	Text   string       `json:"text,omitempty"`
}

// FhirCoding is a code of a coding system.
type FhirCoding struct {
	System  string `json:"system"`
	Code    string `json:"code"`
	Display string `json:"display,omitempty"`
}

// FhirCommunication is a language a patient speaks.
type FhirCommunication struct {
	Language FhirConcept `json:"language"`
}

// FhirReference points at another resource.
type FhirReference struct {
	Reference string `json:"reference,omitempty"`
	Display   string `json:"display,omitempty"`
}

// FhirParticipant took part in an encounter.
type FhirParticipant struct {
	Individual *FhirReference `json:"individual,omitempty"`
	Role       []FhirConcept  `json:"role,omitempty"`
	Member     *FhirReference `json:"member,omitempty"`
}

// FhirPeriod is a stretch of time.
type FhirPeriod struct {
	Start string `json:"start"`
	End   string `json:"end,omitempty"`
}

// FhirDiagnosis is a diagnosis on a claim.
type FhirDiagnosis struct {
	Sequence           int           `json:"sequence"`
	DiagnosisReference FhirReference `json:"diagnosisReference"`
	Type               []FhirConcept `json:"type,omitempty"`
}

// FhirInsurance pays a claim.
type FhirInsurance struct {
	Sequence int           `json:"sequence,omitempty"`
	Focal    bool          `json:"focal"`
	Coverage FhirReference `json:"coverage"`
}

// FhirItem is a line of a claim.
type FhirItem struct {
	Sequence                int                `json:"sequence"`
	ProductOrService        FhirConcept        `json:"productOrService"`
	Encounter               []FhirReference    `json:"encounter,omitempty"`
	DiagnosisSequence       []int              `json:"diagnosisSequence,omitempty"`
	Category                *FhirConcept       `json:"category,omitempty"`
	ServicedPeriod          *FhirPeriod        `json:"servicedPeriod,omitempty"`
	LocationCodeableConcept *FhirConcept       `json:"locationCodeableConcept,omitempty"`
	ProcedureSequence       []int              `json:"procedureSequence,omitempty"`
	Net                     *FhirMoney         `json:"net,omitempty"`
	Adjudication            []FhirAdjudication `json:"adjudication,omitempty"`
	InformationSequence     []int              `json:"informationSequence,omitempty"`
}

// FhirAdjudication is what an insurer decides.
type FhirAdjudication struct {
	Category FhirConcept `json:"category"`
	Amount   *FhirMoney  `json:"amount,omitempty"`
}

// FhirMoney is an amount in a currency.
type FhirMoney struct {
	Value    float64 `json:"value"`
	Currency string  `json:"currency"`
}

// FhirContained is a resource inside another.
type FhirContained struct {
	ResourceType string          `json:"resourceType"`
	ID           string          `json:"id"`
	Status       string          `json:"status"`
	Intent       string          `json:"intent,omitempty"`
	Subject      *FhirReference  `json:"subject,omitempty"`
	Requester    *FhirReference  `json:"requester,omitempty"`
	Performer    []FhirReference `json:"performer,omitempty"`
	Type         *FhirConcept    `json:"type,omitempty"`
	Beneficiary  *FhirReference  `json:"beneficiary,omitempty"`
	Payor        []FhirReference `json:"payor,omitempty"`
}

// FhirCareTeam is a group of carers, or a reference to one.
type FhirCareTeam struct {
	Sequence  int            `json:"sequence,omitempty"`
	Provider  *FhirReference `json:"provider,omitempty"`
	Role      *FhirConcept   `json:"role,omitempty"`
	Reference string         `json:"reference,omitempty"`
}

// FhirPayment is what was paid.
type FhirPayment struct {
	Amount FhirMoney `json:"amount"`
}

// FhirActivity is a step of a care plan.
type FhirActivity struct {
	Detail FhirDetail `json:"detail"`
}

// FhirDetail says what a step is.
type FhirDetail struct {
	Code     FhirConcept   `json:"code"`
	Status   string        `json:"status"`
	Location FhirReference `json:"location"`
}

// FhirQuantity is a measured value.
type FhirQuantity struct {
	Value  float64 `json:"value"`
	Unit   string  `json:"unit,omitempty"`
	System string  `json:"system,omitempty"`
	Code   string  `json:"code,omitempty"`
}

// FhirDosage says how to take a medicine.
type FhirDosage struct {
	Sequence        int         `json:"sequence"`
	Timing          *FhirTiming `json:"timing,omitempty"`
	AsNeededBoolean bool        `json:"asNeededBoolean"`
	DoseAndRate     []FhirDose  `json:"doseAndRate,omitempty"`
}

// FhirTiming says when to take it.
type FhirTiming struct {
	Repeat FhirRepeat `json:"repeat"`
}

// FhirRepeat says how often.
type FhirRepeat struct {
	Frequency  int     `json:"frequency"`
	Period     float64 `json:"period"`
	PeriodUnit string  `json:"periodUnit"`
}

// FhirDose says how much.
type FhirDose struct {
	Type         FhirConcept  `json:"type"`
	DoseQuantity FhirQuantity `json:"doseQuantity"`
}

// FhirSeries is a series of images.
type FhirSeries struct {
	UID               string         `json:"uid"`
	Number            int            `json:"number"`
	Modality          FhirCoding     `json:"modality"`
	NumberOfInstances int            `json:"numberOfInstances"`
	BodySite          FhirCoding     `json:"bodySite"`
	Started           string         `json:"started"`
	Instance          []FhirInstance `json:"instance"`
}

// FhirInstance is one image.
type FhirInstance struct {
	UID      string     `json:"uid"`
	SopClass FhirCoding `json:"sopClass"`
	Number   int        `json:"number"`
	Title    string     `json:"title"`
}

// FhirProcedure is a procedure on a claim.
type FhirProcedure struct {
	Sequence           int           `json:"sequence"`
	ProcedureReference FhirReference `json:"procedureReference"`
}

// FhirSupportingInfo backs a claim.
type FhirSupportingInfo struct {
	Sequence       int           `json:"sequence"`
	Category       FhirConcept   `json:"category"`
	ValueReference FhirReference `json:"valueReference"`
}

// FhirComponent is a part of a measurement.
type FhirComponent struct {
	Code          FhirConcept  `json:"code"`
	ValueQuantity FhirQuantity `json:"valueQuantity"`
}
