package runner

// A Mark is how a layer draws its rows.
type Mark string

// The marks that the report draws.
const (
	Line   Mark = "line"
	Bar    Mark = "bar"
	Points Mark = "points"
	Heap   Mark = "heap"
	// Heatmap is a cell for each pair of words, coloured by a value that stands
	// in it: a matrix of settings.
	Heatmap Mark = "heatmap"
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
	X     string `json:"x"` // column; a text column makes a category axis
	// Y is the column that is drawn; of a Heatmap the column whose words run
	// from the top down, and of a Bar with Parts the column of their total,
	// which is written at the bar's end unless another layer is drawn there, or
	// empty.
	Y    string `json:"y"`
	By   string `json:"by,omitempty"`   // column whose values are series; of a Heatmap, and of a Heap, panels; not of a Bar with Parts
	Low  string `json:"low,omitempty"`  // column of the interval's lower end
	High string `json:"high,omitempty"` // column of the interval's upper end
	// Label is the series' name where there is no By; of a Bar with Parts, what
	// the parts make together, which is the axis' name.
	Label string `json:"label,omitempty"`
	// Parts are, of a Heap, the columns whose shares colour a cell, and of a Bar
	// 2 to 6 columns of one unit whose values lie upon one another in the bar of
	// the row, the first at 0.
	Parts []string `json:"parts,omitempty"`
	// Value is the column that colours a cell and is written in it; only of Heatmap.
	Value string `json:"value,omitempty"`
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
