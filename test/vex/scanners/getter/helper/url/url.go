// Package url stands for the one of the same name.
package url

import "net/url"

func Parse(text string) (*url.URL, error) { return url.Parse(text) }
