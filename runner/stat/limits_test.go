package stat

// limit is what a cell holds instead of 93 to 98 %.
type limit struct{ low, high float64 }

// limits are the data for which an interval does not hold its level, with 3 points to either side of what the 2,000 simulations
// in docs/statistics.md gave; the text there says why.
var limits = map[string]map[string]limit{
	"ratio of medians, 12 blocks": {
		"AR(1) 0.5":                   {0.84, 0.91},
		"AR(1) 0.5, exponential tail": {0.85, 0.92},
		"AR(1) 0.8":                   {0.73, 0.80},
	},
	"time of an arm, 40 blocks": {
		"AR(1) 0.8":             {0.88, 0.95},
		"drift of 40 % in both": {0.97, 1.00},
	},
	"time of an arm, 12 blocks": {
		"AR(1) 0.5":                   {0.89, 0.96},
		"AR(1) 0.5, exponential tail": {0.89, 0.95},
		"AR(1) 0.8":                   {0.79, 0.85},
		"drift of 40 % in both":       {0.97, 1.00},
	},
	"p50, 40 blocks": {
		"AR(1) 0.8":             {0.86, 0.93},
		"drift of 40 % in both": {0.97, 1.00},
	},
	"p95, 40 blocks": {
		"blocks 30 % apart":           {0.89, 0.96},
		"AR(1) 0.5":                   {0.89, 0.96},
		"AR(1) 0.5, exponential tail": {0.83, 0.90},
		"AR(1) 0.8":                   {0.83, 0.90},
		"drift of 40 % in both":       {0.97, 1.00},
		"a neighbour, both arms":      {0.83, 0.90},
		"a neighbour, one arm":        {0.83, 0.90},
	},
	"p99, 40 blocks": {
		"exponential tail":            {0.95, 1.00},
		"two humps":                   {0.89, 0.96},
		"blocks 30 % apart":           {0.84, 0.91},
		"AR(1) 0.2":                   {0.87, 0.94},
		"AR(1) 0.5":                   {0.85, 0.92},
		"AR(1) 0.5, exponential tail": {0.71, 0.78},
		"AR(1) 0.8":                   {0.83, 0.89},
		"drift of 40 % in both":       {0.97, 1.00},
		"a neighbour, both arms":      {0.83, 0.90},
		"a neighbour, one arm":        {0.78, 0.84},
	},
	"p50, 20 blocks": {
		"AR(1) 0.5":                   {0.89, 0.96},
		"AR(1) 0.5, exponential tail": {0.89, 0.95},
		"AR(1) 0.8":                   {0.81, 0.87},
		"drift of 40 % in both":       {0.97, 1.00},
	},
	"p95, 20 blocks": {
		"exponential tail":            {0.95, 1.00},
		"blocks 30 % apart":           {0.89, 0.96},
		"AR(1) 0.5":                   {0.88, 0.95},
		"AR(1) 0.5, exponential tail": {0.76, 0.83},
		"AR(1) 0.8":                   {0.80, 0.87},
		"drift of 40 % in both":       {0.97, 1.00},
		"a neighbour, both arms":      {0.61, 0.68},
		"a neighbour, one arm":        {0.64, 0.71},
	},
	"p99, 20 blocks": {
		"log-normal":                  {0.95, 1.00},
		"exponential tail":            {0.96, 1.00},
		"blocks 30 % apart":           {0.86, 0.93},
		"AR(1) 0.5":                   {0.89, 0.95},
		"AR(1) 0.5, exponential tail": {0.66, 0.73},
		"AR(1) 0.8":                   {0.84, 0.91},
		"drift of 40 % in both":       {0.97, 1.00},
		"a neighbour, both arms":      {0.63, 0.69},
		"a neighbour, one arm":        {0.61, 0.68},
	},
	"ratio of p95, 40 blocks": {
		"blocks 30 % apart":      {0.95, 1.00},
		"drift of 40 % in both":  {0.97, 1.00},
		"a neighbour, both arms": {0.96, 1.00},
		"a neighbour, one arm":   {0.83, 0.90},
	},
	"ratio of p99, 40 blocks": {
		"two humps":              {0.95, 1.00},
		"blocks 30 % apart":      {0.95, 1.00},
		"drift of 40 % in both":  {0.97, 1.00},
		"a neighbour, both arms": {0.95, 1.00},
		"a neighbour, one arm":   {0.74, 0.81},
	},
	"ratio of p99, 20 blocks": {
		"log-normal":            {0.95, 1.00},
		"exponential tail":      {0.95, 1.00},
		"two humps":             {0.95, 1.00},
		"blocks 30 % apart":     {0.95, 1.00},
		"drift of 40 % in both": {0.97, 1.00},
		"a neighbour, one arm":  {0.58, 0.65},
	},
	"range of 5 repeats": {
		"AR(1) 0.2":                   {0.89, 0.95},
		"AR(1) 0.5":                   {0.85, 0.92},
		"AR(1) 0.5, exponential tail": {0.85, 0.91},
		"AR(1) 0.8":                   {0.75, 0.82},
	},
	"slope of a log-log fit, 4 sizes": {
		"drift of 40 % in both": {0.87, 0.94},
	},
	"coefficient of a fit, 12 points": {
		"exponential tail":            {0.89, 0.96},
		"two humps":                   {0.79, 0.86},
		"AR(1) 0.5":                   {0.84, 0.91},
		"AR(1) 0.5, exponential tail": {0.79, 0.86},
		"AR(1) 0.8":                   {0.67, 0.74},
		"a neighbour, both arms":      {0.84, 0.91},
		"a neighbour, one arm":        {0.88, 0.95},
	},
	"prediction of a fit, 12 points": {
		"two humps":                   {0.89, 0.96},
		"AR(1) 0.5":                   {0.89, 0.96},
		"AR(1) 0.5, exponential tail": {0.88, 0.95},
		"AR(1) 0.8":                   {0.84, 0.91},
		"a neighbour, both arms":      {0.89, 0.96},
		"a neighbour, one arm":        {0.89, 0.96},
	},
	"equal p99 not called different, 40 blocks": {
		"a neighbour, one arm": {0.89, 0.96},
	},
}
