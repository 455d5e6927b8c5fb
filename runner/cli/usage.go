package cli

// The usage texts are the specification of the command; a test holds them to
// the flags that are parsed.

const usageText = `deletecost starts its own pinned PostgreSQL, deletes data in every way people do,
and writes one HTML file that says which published claims about the cost of
deleting hold on this machine, by how much, and why.

Usage:
    deletecost [run] [experiment ...]   run everything, or the named experiments in order
    deletecost list                     experiments, knobs with values per scale, claims
    deletecost report DIR [DIR ...]     rebuild the report; several folders are compared
    deletecost bundle --out FILE        all downloads in one file, to run offline
    deletecost verify-archive DIR       check an archive of the retention experiment
    deletecost version                  this program and what it is pinned to
    deletecost help [word]              more on one of these words

"run" is the default word: "deletecost --scale smoke" runs every experiment.

Exit codes:
    0    the report is written
    1    an experiment failed; the others ran and the report says so;
         verify-archive: faults were found
    2    the command line cannot be obeyed; nothing was run
    3    this machine lacks something; the message has the remedy
    4    a download failed, or its digest is wrong
    5    --check, and a verdict differs from the expected one
    130  interrupted; what was measured is kept
Of several runs (--pg with a list, --runs) the worst counts: 130, then 3, 4, 1, 5.

"deletecost help run" lists the flags.
`

const runText = `Usage:
    deletecost [run] [flags] [experiment ...]

Fetches a pinned PostgreSQL, runs every experiment on it, or the named ones in
order, and writes a results folder. Standard output is the path of report.html;
progress and warnings go to standard error.

What is run:
    --pg VERSION,...    PostgreSQL 16, 17, 18 or an exact pin, or a list of them;
                        default 17, or the version of --pg-bin
    --runs NUMBER       how often each version is run, whole and on fresh servers, to
                        see what differs between runs; default 1
    --scale SCALE       smoke (seconds, proves that everything runs),
                        laptop (the published parameters where they fit in minutes),
                        published (every arm at its source's size); default laptop
    --set EXPERIMENT.KNOB=VALUE
                        one knob; may be repeated ("deletecost list" shows them all)
    --seed NUMBER       seed of everything random; default 1234. Every run of --runs has
                        the same: what differs is then server and machine, not draws

Where things are:
    --out DIR           results folder, new or empty; default results/<UTC time>
    --cache DIR         folder that keeps downloads; default: the user's cache folder,
                        for root on Unix /var/cache/deletecost
    --bundle FILE       file that deletecost bundle made: with it neither a network nor
                        a cache is needed
    --pg-mirror URL     Maven repository to download from
    --pg-bin DIR        folder with your own postgres and initdb; the report says
                        that they are not pinned

What is said and kept:
    --check             exit 5 when a verdict differs from the expected one
    --junit FILE        write JUnit XML for a CI system: an experiment is a suite, a
                        claim a case that fails when --check would name it; FILE is
                        new, or of an earlier run and replaced
    --json              print run.json instead of the report's path; of several runs
                        an array with the run.json of each
    --quiet             only warnings and errors on standard error
    --keep              keep the servers' files and the archives of retention, and say
                        where they are and how to start a server again
    --help              this text

Several versions or runs are made one after another, and --out is then a folder that
holds a results folder for each (17.10-1, 17.10-2, 16.14-1, ...), report.html, which
compares them, comparison.csv and matrix.json. All that they need is fetched before
the first begins. A run that fails or differs (exit 1, 5) does not keep the others from
being made; one that lacks something (3, 4) does. --check applies to each. An
interruption keeps what is there and compares the runs that have ended. Data checksums,
which 18 turns on by default, are set by the experiments, the same for every version.

Ctrl-C stops the server, keeps what was measured and writes the report; a second
one stops at once; a third ends the tool itself, and the next run sweeps what that
leaves behind.

Every flag can also be set in the environment: --pg-mirror is DELETECOST_PG_MIRROR,
--check is DELETECOST_CHECK=true, several --set go into DELETECOST_SET with spaces
between them. Flags win.
`

const listText = `Usage:
    deletecost list [flags]

Prints every experiment with its question, its knobs (meaning, unit, range, value
at each scale) and the published claims that it measures.

    --help              this text
`

const reportText = `Usage:
    deletecost report [flags] DIR [DIR ...]

Rebuilds report.html, charts/, claims.csv, the summaries and the metadata from the
measurements in DIR, a folder that a run wrote. Of a folder that holds several runs
(--pg with a list, --runs) it rebuilds the comparison, report.html and comparison.csv.
The same folder gives the same bytes. Standard output is the path of report.html.

Several folders, of any versions, machines and settings, are compared: the same claims,
figures and tables side by side, the differences to the first folder with intervals,
and what differs of settings and machines. Folders of the same version, machine and
settings count as repeats of one run. The page is written to FILE and a table for other
programs beside it, with .csv in place of .html. Standard output is the path of the page.

    --out FILE          page of several folders; default comparison.html. A file that is
                        there is replaced when it is such a page
    --cache DIR         folder that keeps downloads (the charts need ECharts)
    --bundle FILE       file that deletecost bundle made, to take ECharts from
    --pg-mirror URL     Maven repository to download from
    --junit FILE        write JUnit XML, as run does
    --quiet             only warnings and errors on standard error
    --help              this text

Every flag can also be set in the environment: --cache is DELETECOST_CACHE,
--pg-mirror is DELETECOST_PG_MIRROR, --quiet is DELETECOST_QUIET=true. Flags win.
`

const bundleText = `Usage:
    deletecost bundle [flags] --out FILE

Writes all that a run downloads into one new file, with its digests: PostgreSQL and
ECharts. "deletecost run --bundle FILE" then needs neither a network nor a cache.
The same release makes the same bytes. Standard output is the path of the file.

    --out FILE          file to write, which must not exist
    --pg VERSION,...    PostgreSQL 16, 17, 18 or exact pins; default 17
    --platform OS/ARCH,...
                        linux/amd64, linux/arm64, darwin/amd64, darwin/arm64,
                        windows/amd64; default: this machine's
    --cache DIR         folder that keeps downloads; default as for run
    --pg-mirror URL     Maven repository to download from
    --quiet             only warnings and errors on standard error
    --help              this text

Files of another platform come by the npm client, since the Maven repository is
only asked for this machine's.

Every flag can also be set in the environment: --pg is DELETECOST_PG. Flags win.
`

const verifyArchiveText = `Usage:
    deletecost verify-archive DIR

Reads every file of an archive that the retention experiment wrote, and compares it
with the manifest: sizes, SHA-256 of the compressed and the raw bytes, one gzip member
a part, the number of lines and the columns of each, the first and the last key.
It needs neither a server nor a network, and changes nothing.

Standard output is a line for each fault, FILE: FAULT, or one line that the archive is
sound.

Exit codes:
    0    the archive is sound
    1    faults were found, or reading failed
    2    DIR is not a folder that can be read
    130  interrupted

    --help              this text
`

const versionText = `Usage:
    deletecost version

Prints the version of this program, of the Go that built it, and of PostgreSQL and
ECharts as they are pinned. "deletecost --version" is the same.

    --help              this text
`

const helpText = `Usage:
    deletecost help [word]

Prints what a word does and the flags it takes. "deletecost WORD --help" is the same.

    --help              this text
`
