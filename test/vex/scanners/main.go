// Applies VEX documents to scans with the code of grype and trivy themselves, and says which findings are left.
//
// Standard input: a JSON array of scans. Standard output: a JSON array of effects in the same order. What the tools log goes to
// standard error.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// Scan is one finding of one scanner in an SBOM, judged with one VEX document.
type Scan struct {
	Tool string `json:"tool"`
	SBOM string `json:"sbom"`
	VEX  string `json:"vex"`
	// Where the finding is: as the SBOM writes the package URL.
	Package       string `json:"package"`
	Vulnerability string `json:"vulnerability"`
	// The scanned container image, which has the packages of the SBOM. Empty where the SBOM itself is scanned.
	Image *Image `json:"image"`
}

// Image is what a scanner knows of a pulled image.
type Image struct {
	Name   string `json:"name"`
	Tag    string `json:"tag"`
	Digest string `json:"digest"`
}

// Effect says whether the finding is gone, or why the scanner stopped.
type Effect struct {
	Hidden bool   `json:"hidden"`
	Error  string `json:"error,omitempty"`
}

func main() {
	var scans []Scan
	if err := json.NewDecoder(os.Stdin).Decode(&scans); err != nil {
		fail(err)
	}
	effects := make([]Effect, len(scans))
	for i, scan := range scans {
		effects[i] = effectOf(scan)
	}
	if err := json.NewEncoder(os.Stdout).Encode(effects); err != nil {
		fail(err)
	}
}

func effectOf(scan Scan) (effect Effect) {
	defer func() {
		if reason := recover(); reason != nil {
			effect = Effect{Error: fmt.Sprintf("panic: %v", reason)}
		}
	}()
	tools := map[string]func(Scan) (bool, error){"grype": withGrype, "trivy": withTrivy}
	hidden, err := tools[scan.Tool](scan)
	if err != nil {
		return Effect{Error: err.Error()}
	}
	return Effect{Hidden: hidden}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
