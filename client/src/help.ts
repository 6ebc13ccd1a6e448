/** The text of `--help`. */
export const help = `Sends SBOMs and VEX documents to SBOM Monitor.

  sbom-monitor upload <file> [options]   send an SBOM (CycloneDX or SPDX JSON)
  sbom-monitor vex <file> [options]      send a VEX document (OpenVEX, CSAF, CycloneDX)
  sbom-monitor pull-dependency-track     copy the BOMs of a Dependency-Track that changed since the last run
  sbom-monitor --version                 the version of this tool

A file of - is standard input.

Environment
  SBOM_MONITOR_URL            address of the service: https, or http on this machine
  SBOM_MONITOR_TOKEN          upload token of the product family
  SBOM_MONITOR_RESULTS_TOKEN  results token of the family, for --fail-on and the counts of --wait
  DEPENDENCY_TRACK_URL        address of the API server of a Dependency-Track 4 or 5
  DEPENDENCY_TRACK_KEY        key of a team of it with VIEW_PORTFOLIO
  NO_COLOR                    no colours

Options
  --server <url>              instead of SBOM_MONITOR_URL
  --product-version <text>    version of the product; default: the one inside the file
                              (vex: default every version of the family)
  --source <name>             hosted_ci, pipeline_ci, sbom_tracker, sbom_hub or api
  --timeout <seconds>         for everything, waiting included; default 600
  --json                      one JSON object on standard output, messages on standard error

Options of upload
  --wait                      wait until the SBOM is matched and show what was found
  --fail-on <policy>          wait, and end with 1 when something is found: one or more of malware,
                              exploited, critical, high, medium, low, any, separated by commas. Every
                              policy stops on malware. A severity means that or worse; findings without
                              a severity count for any only; what VEX says is not affected never counts
  --allow-malware             let --fail-on pass although a component is malicious
  --allow-unchecked           let --fail-on pass when no component could be checked
  --max-data-age <age>        let --fail-on judge nothing by data older than that, such as 24h or 7d
  --summary <file>            wait, and write what was found as Markdown; on GitHub also as the summary of
                              the job (GITHUB_STEP_SUMMARY), which needs no option
  --sarif, --junit <file>     wait, and write the 500 worst findings as SARIF 2.1.0 or JUnit
  --annotations <file>        wait, and write links for the page of a GitLab job
                              (artifacts:reports:annotations)
  --commit, --branch, --repo, --run-url <text>
                              default: from GitHub Actions, GitLab, Azure Pipelines, Bitbucket, Jenkins

Options of pull-dependency-track
  --tracker <url>             instead of DEPENDENCY_TRACK_URL
  --project <uuid>            that project only; may be repeated
  --tag <name>                projects with that tag only; default: every active project
  --state <file>              what was copied before; default sbom-monitor-dependency-track.json

Exit codes
  0  sent, and no policy hit
  1  --fail-on found something
  2  arguments, environment or file: nothing was sent
  3  the service refused it
  4  the service could not be reached, failed, or took longer than --timeout
  5  the service could not match the SBOM, or has no counts for it
  6  --fail-on could judge nothing: no component could be checked, or the data are older than
     --max-data-age
  70 a defect of this tool

Network errors, 429 and 5xx are tried again; sending the same file twice is safe.
`
