import { expect, it } from 'vitest'
import { connectorSettings, connectorText, exportLines } from './connector-text.ts'

const baseUrl = 'https://sbom.example'

it('writes the settings in columns', () => {
  const lines = connectorText(connectorSettings(baseUrl, 'Pump')).split('\n')
  expect(lines).toContain('Destination:        https://sbom.example/api/v1/connectors/dependency-track')
  expect(lines).toContain('Token header:       X-Api-Key')
  expect(lines).toContain('Limit to:           the projects of Pump')
})

it('goes on from line to line within each of the two commands', () => {
  const lines = exportLines(baseUrl).split('\n')
  expect(lines.filter((line) => !line.endsWith(' \\'))).toEqual([
    '  -o bom.json',
    '  --data-binary @bom.json',
  ])
  expect(exportLines(baseUrl)).toContain('https://sbom.example/api/v1/sboms')
})
