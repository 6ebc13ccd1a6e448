package main

import (
	"context"
	"fmt"
	"os"

	"github.com/aquasecurity/trivy/pkg/dependency"
	ftypes "github.com/aquasecurity/trivy/pkg/fanal/types"
	"github.com/aquasecurity/trivy/pkg/sbom"
	"github.com/aquasecurity/trivy/pkg/types"
	"github.com/aquasecurity/trivy/pkg/vex"
)

// withTrivy does what `trivy sbom --vex <file> <file>` does once it has a vulnerability, or `trivy image --vex <file> <image>`.
func withTrivy(scan Scan) (bool, error) {
	ctx := context.Background()
	report, err := reportOf(ctx, scan)
	if err != nil {
		return false, err
	}
	place := -1
	for i := range report.Results {
		for _, found := range report.Results[i].Packages {
			if found.Identifier.PURL == nil || found.Identifier.PURL.String() != scan.Package {
				continue
			}
			place = i
			report.Results[i].Vulnerabilities = []types.DetectedVulnerability{{
				VulnerabilityID:  scan.Vulnerability,
				PkgID:            found.ID,
				PkgName:          found.Name,
				PkgIdentifier:    found.Identifier,
				InstalledVersion: found.Version,
			}}
		}
	}
	if place == -1 {
		return false, fmt.Errorf("trivy reads no package %s", scan.Package)
	}
	if err := vex.Filter(ctx, report, vex.Options{Sources: []vex.Source{vex.NewSource(scan.VEX)}}); err != nil {
		return false, err
	}
	return len(report.Results[place].Vulnerabilities) == 0, nil
}

// reportOf is what trivy makes of the SBOM before it looks for vulnerabilities.
func reportOf(ctx context.Context, scan Scan) (*types.Report, error) {
	file, err := os.Open(scan.SBOM)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read, err := sbom.Decode(ctx, file, sbom.FormatCycloneDXJSON)
	if err != nil {
		return nil, err
	}
	report := types.Report{
		ArtifactName: scan.SBOM,
		ArtifactType: ftypes.TypeCycloneDX,
		Metadata:     types.Metadata{RepoDigests: read.Metadata.RepoDigests, RepoTags: read.Metadata.RepoTags},
		BOM:          read.BOM,
	}
	if scan.Image != nil {
		report.ArtifactName = scan.Image.Name + ":" + scan.Image.Tag
		report.ArtifactType = ftypes.TypeContainerImage
		report.Metadata.RepoDigests = []string{scan.Image.Name + "@" + scan.Image.Digest}
		report.BOM = nil
	}
	for _, info := range read.Packages {
		report.Results = append(report.Results, resultOf(types.ClassOSPkg, "", info.FilePath, info.Packages))
	}
	for _, application := range read.Applications {
		result := resultOf(types.ClassLangPkg, application.Type, application.FilePath, application.Packages)
		report.Results = append(report.Results, result)
	}
	return &report, nil
}

func resultOf(class types.ResultClass, language ftypes.LangType, path string, packages ftypes.Packages) types.Result {
	for i := range packages {
		packages[i].Identifier.UID = dependency.UID(path, packages[i])
	}
	return types.Result{Target: path, Class: class, Type: language, Packages: packages}
}
