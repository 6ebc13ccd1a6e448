import { expect, it } from 'vitest'
import { readVex } from '../read-vex.ts'
import { cyclonedx } from '../sample-documents.ts'

const read = (ref: string, range: string) =>
  readVex(
    cyclonedx({
      components: [{ type: 'library', name: 'a', 'bom-ref': 'a', purl: 'pkg:npm/a' }],
      vulnerabilities: [
        {
          id: 'CVE-2024-1',
          analysis: { state: 'not_affected', justification: 'code_not_present' },
          affects: [{ ref, versions: [{ range, status: 'affected' }] }],
        },
      ],
    }),
  )

it.each([
  ['a', 'vers:npm/<2.0', 'vers:npm/<2.0'],
  ['a', '< 2.0', 'vers:npm/<2.0'],
  ['pkg:pypi/a', '>=1.0|<2.0', 'vers:pypi/>=1.0|<2.0'],
  ['cpe:/a:acme:a', 'prior to 2.0', 'vers:generic/<2.0'],
])('a range of %s: %s', (ref, range, expected) => {
  const { statements, hints } = read(ref, range)
  expect(statements[0]?.targets[0]?.versions).toEqual([{ range: expected, status: 'affected' }])
  expect(hints).toEqual([])
})

it('one that cannot be read is a hint', () => {
  const { statements, hints } = read('a', 'some')
  expect(statements[0]?.targets[0]?.versions).toEqual([{ range: 'some', status: 'affected' }])
  expect(hints.join()).toContain('/vulnerabilities/0/affects/0/versions/0')
})
