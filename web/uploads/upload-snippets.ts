import { publicPaths } from '#contract/public/public-paths.ts'

export const snippetKinds = ['curl', 'github', 'gitlab', 'client'] as const
export type SnippetKind = (typeof snippetKinds)[number]

export const snippetNames: Record<SnippetKind, string> = {
  client: 'Client',
  curl: 'curl',
  github: 'GitHub',
  gitlab: 'GitLab',
}

/** Lines that send `bom.json`; the token comes from the secret `SBOM_MONITOR_TOKEN` and is never in the lines. */
export function uploadSnippet(kind: SnippetKind, baseUrl: string): string {
  const address = `${baseUrl}${publicPaths.sboms}`
  switch (kind) {
    case 'client':
      return [
        `export SBOM_MONITOR_URL=${baseUrl}`,
        'sbom-monitor upload bom.json --wait --fail-on exploited',
      ].join('\n')
    case 'curl':
      return curlLines(address, [])
    case 'github':
      return [
        '- name: Send the SBOM',
        '  env:',
        '    SBOM_MONITOR_TOKEN: ${{ secrets.SBOM_MONITOR_TOKEN }}',
        '  run: |',
        indent(curlLines(address, githubFacts), 4),
      ].join('\n')
    case 'gitlab':
      return [
        'send-sbom:',
        '  image: curlimages/curl:latest',
        '  script:',
        '    - |',
        indent(curlLines(address, gitlabFacts), 6),
      ].join('\n')
  }
}

const githubFacts = [
  'X-Service-Source: hosted_ci',
  'X-Service-Commit: $GITHUB_SHA',
  'X-Service-Branch: $GITHUB_REF_NAME',
  'X-Service-Repo: $GITHUB_REPOSITORY',
  'X-Service-Run-Url: $GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID',
]

const gitlabFacts = [
  'X-Service-Source: pipeline_ci',
  'X-Service-Commit: $CI_COMMIT_SHA',
  'X-Service-Branch: $CI_COMMIT_REF_NAME',
  'X-Service-Repo: $CI_PROJECT_PATH',
  'X-Service-Run-Url: $CI_JOB_URL',
]

function curlLines(address: string, facts: readonly string[]): string {
  const headers = ['Authorization: Bearer $SBOM_MONITOR_TOKEN', 'Content-Type: application/json', ...facts]
  return [
    `curl --fail-with-body -sS "${address}"`,
    ...headers.map((header) => `  -H "${header}"`),
    '  --data-binary @bom.json',
  ].join(' \\\n')
}

function indent(lines: string, spaces: number): string {
  return lines.replaceAll(/^/gm, ' '.repeat(spaces))
}
