package runner

// A Mark is how a layer draws its rows.
type Mark string

// The marks that the report draws.
const (
	Line   Mark = "line"
	Bar    Mark = "bar"
	Points Mark = "points"
	Heap   Mark = "heap"
)

// A Figure names tables and columns; it holds no numbers.
type Figure struct {
	Name      string  `json:"name"`        // anchor and file name
	Title     string  `json:"title"`       // what it shows, as a statement of the subject
	HowToRead string  `json:"how_to_read"` // one or two sentences
	XLog      bool    `json:"xlog,omitempty"`
	YLog      bool    `json:"ylog,omitempty"`
	Layers    []Layer `json:"layers"`
}

// A Layer draws the rows of one table.
type Layer struct {
	Mark  Mark   `json:"mark"`
	Table string `json:"table"`
	X     string `json:"x"`               // column; a text column makes a category axis
	Y     string `json:"y"`               // column
	By    string `json:"by,omitempty"`    // column whose values are series
	Low   string `json:"low,omitempty"`   // column of the interval's lower end
	High  string `json:"high,omitempty"`  // column of the interval's upper end
	Label string `json:"label,omitempty"` // the series' name where there is no By
	// Parts are the columns whose shares colour a cell; only of Heap.
	Parts []string `json:"parts,omitempty"`
	// Where keeps the rows whose cells equal these, by column; all rows when empty.
	Where map[string]string `json:"where,omitempty"`
}

// A Plan is what EXPLAIN said of one statement.
type Plan struct {
	Name  string `json:"name"`  // file name: <name>.txt
	Title string `json:"title"` // what was explained, and when
	SQL   string `json:"sql"`
	Text  string `json:"-"` // FORMAT TEXT, kept in its file
}
