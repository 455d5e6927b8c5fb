package fetch

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// fileFromNpm takes the one wanted file out of an npm package.
func (e entry) fileFromNpm(ctx context.Context, name, work, tree string) error {
	e.rep.say("npm", "downloading "+name)
	tgz, err := npmPack(ctx, name, work)
	if err != nil {
		return err
	}
	f, err := os.Open(tgz)
	if err != nil {
		return err
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	return e.tarMember(ctx, &boundedReader{ctx, plain, downloadLimit, errTooLarge}, "package/"+e.pin.File, tree)
}

func (e entry) tarMember(ctx context.Context, r io.Reader, member, tree string) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("reading the archive: it holds no %q", member)
		}
		if err != nil {
			return readError(ctx, err)
		}
		if h.Name == member && h.Typeflag == tar.TypeReg {
			return e.keepFile(ctx, t, tree)
		}
	}
}
