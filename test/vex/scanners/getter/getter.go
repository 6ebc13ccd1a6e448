// Package getter stands for github.com/hashicorp/go-getter, by which the scanners download what no scan here needs. The real one brings
// the clients of three clouds with it, more than half of all that is compiled. Nothing can be downloaded with this one.
package getter

import (
	"context"
	"errors"
	"io"
	"net/http"
)

type Getter any
type Decompressor any

type HttpGetter struct {
	Netrc  bool
	Client *http.Client
	Header http.Header
}
type FileGetter struct{ Copy bool }
type GitGetter struct{}
type GCSGetter struct{}
type HgGetter struct{}
type S3Getter struct{}

type ClientMode uint

const (
	ClientModeInvalid ClientMode = iota
	ClientModeAny
	ClientModeFile
	ClientModeDir
)

type ClientOption func(*Client) error

type Client struct {
	Ctx     context.Context
	Src     string
	Dst     string
	Pwd     string
	Mode    ClientMode
	Dir     bool
	Getters map[string]Getter
	Options []ClientOption
}

var Getters = map[string]Getter{}
var Decompressors = map[string]Decompressor{}

func (*Client) Get() error { return errors.New("nothing is downloaded here") }

type ProgressTracker interface {
	TrackProgress(src string, currentSize, totalSize int64, stream io.ReadCloser) io.ReadCloser
}

func nothing(*Client) error { return nil }

func WithProgress(ProgressTracker) func(*Client) error        { return nothing }
func WithDecompressors(map[string]Decompressor) ClientOption  { return nothing }
func WithInsecure() ClientOption                              { return nothing }
func LimitedDecompressors(int, int64) map[string]Decompressor { return Decompressors }
