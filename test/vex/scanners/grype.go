package main

import (
	"fmt"

	"github.com/anchore/grype/grype/match"
	"github.com/anchore/grype/grype/pkg"
	"github.com/anchore/grype/grype/vex"
	"github.com/anchore/grype/grype/vulnerability"
	"github.com/anchore/syft/syft/source"
)

// withGrype does what `grype sbom:<file> --vex <file>` does once it has a match, or `grype <image> --vex <file>`.
func withGrype(scan Scan) (bool, error) {
	packages, context, _, err := pkg.Provide("sbom:"+scan.SBOM, pkg.ProviderConfig{})
	if err != nil {
		return false, err
	}
	if scan.Image != nil {
		reference := scan.Image.Name + "@" + scan.Image.Digest
		context.Source = &source.Description{
			Name:     scan.Image.Name,
			Metadata: source.ImageMetadata{Tags: []string{scan.Image.Name + ":" + scan.Image.Tag}, RepoDigests: []string{reference}},
		}
	}
	for _, found := range packages {
		if found.PURL != scan.Package {
			continue
		}
		matches := match.NewMatches(match.Match{
			Vulnerability: vulnerability.Vulnerability{Reference: vulnerability.Reference{ID: scan.Vulnerability}},
			Package:       found,
		})
		processor, err := vex.NewProcessor(vex.ProcessorOptions{Documents: []string{scan.VEX}})
		if err != nil {
			return false, err
		}
		left, _, err := processor.ApplyVEX(&context, &matches, nil)
		if err != nil {
			return false, err
		}
		return left.Count() == 0, nil
	}
	return false, fmt.Errorf("grype reads no package %s", scan.Package)
}
