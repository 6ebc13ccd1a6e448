import { expect, it } from 'vitest'
import { connectorSettings, connectorText, pullLines } from './connector-text.ts'

const baseUrl = 'https://sbom.example'

it('writes the settings in columns', () => {
  const lines = connectorText(connectorSettings(baseUrl, 'Pump')).split('\n')
  expect(lines).toContain('Destination:        https://sbom.example/api/v1/connectors/dependency-track')
  expect(lines).toContain('Token header:       X-Api-Key')
  expect(lines).toContain('Limit to:           the projects of Pump')
})

it('names the address of the service, and copies by one command', () => {
  const lines = pullLines(baseUrl).split('\n')
  expect(lines[0]).toContain('SBOM_MONITOR_URL=https://sbom.example ')
  expect(lines.filter((line) => !line.endsWith(' \\'))).toEqual([
    lines[0],
    lines[1],
    '  sbom-monitor pull-dependency-track --tag <tag of the projects> --state dependency-track.json',
  ])
})
