import { describe, expect, it } from 'vitest'
import { snippetKinds, uploadSnippet } from './upload-snippets.ts'

const baseUrl = 'https://sbom.example'

describe('uploadSnippet', () => {
  it('is one curl command whose every line but the last goes on', () => {
    expect(uploadSnippet('curl', baseUrl)).toBe(
      [
        'curl --fail-with-body -sS "https://sbom.example/api/v1/sboms" \\',
        '  -H "Authorization: Bearer $SBOM_MONITOR_TOKEN" \\',
        '  -H "Content-Type: application/json" \\',
        '  --data-binary @bom.json',
      ].join('\n'),
    )
  })

  it('is the client that waits and judges', () => {
    expect(uploadSnippet('client', baseUrl)).toBe(
      'export SBOM_MONITOR_URL=https://sbom.example\nsbom-monitor upload bom.json --wait --fail-on exploited',
    )
  })

  it.each(snippetKinds.filter((kind) => kind !== 'client'))(
    '%s takes the token from a secret and the body unchanged',
    (kind) => {
      const lines = uploadSnippet(kind, baseUrl)
      expect(lines).toContain('Bearer $SBOM_MONITOR_TOKEN')
      expect(lines).toContain('--data-binary @bom.json')
      expect(lines).not.toContain('svc_')
    },
  )

  it.each([
    ['github', 'hosted_ci'],
    ['gitlab', 'pipeline_ci'],
  ] as const)('%s names its source and the facts of the Pipeline card', (kind, source) => {
    const lines = uploadSnippet(kind, baseUrl)
    for (const header of ['Commit', 'Branch', 'Repo', 'Run-Url'])
      expect(lines).toContain(`"X-Service-${header}: $`)
    expect(lines).toContain(`"X-Service-Source: ${source}"`)
  })

  it('indents the command below the block mark of YAML', () => {
    const [, , , mark, first, ...others] = uploadSnippet('github', baseUrl).split('\n')
    expect(mark).toBe('  run: |')
    expect(first?.startsWith('    curl ')).toBe(true)
    expect(others.every((line) => line.startsWith('      '))).toBe(true)
  })
})
