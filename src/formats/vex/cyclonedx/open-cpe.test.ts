import { expect, it } from 'vitest'
import { readVex } from '../read-vex.ts'
import { cyclonedx, type Fields } from '../sample-documents.ts'

it('a component that states its version beside an open CPE is that version', () => {
  const cpe = 'cpe:2.3:a:c:c:*:*:*:*:*:*:*:*'
  const component = { 'bom-ref': 'c', type: 'library', name: 'c', version: '1.0', cpe }
  const targetOf = (more: Fields, affected: Fields = {}, metadata: Fields = {}) => {
    const vulnerabilities = [
      { id: 'CVE-2024-1', analysis: { state: 'not_affected' }, affects: [{ ref: 'c', ...affected }] },
    ]
    const components = [{ ...component, ...more }]
    return readVex(cyclonedx({ metadata, components, vulnerabilities })).statements[0]?.targets[0]?.versions
  }
  const only = [{ version: '1.0', status: 'affected' }]
  expect(targetOf({})).toEqual(only)
  expect(targetOf({ purl: 'pkg:npm/c' })).toBeUndefined()
  expect(targetOf({ version: 'unknown' })).toBeUndefined()
  expect(targetOf({ cpe: 'cpe:/a:c:c:1.0' })).toBeUndefined()
  expect(targetOf({}, { versions: [{ version: '2.0' }] })).toEqual([{ version: '2.0', status: 'affected' }])
  expect(targetOf({ 'bom-ref': 'd' }, {}, { component })).toBeUndefined()
})
