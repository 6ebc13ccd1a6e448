import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSbom } from '../../formats/sbom/read-sbom.ts'
import { ownerNumbers } from './component-owners.ts'
import { distinctComponents } from './component-rows.ts'

/** Packages `1` to `3`, the third of them twice, and who owns whom; returns the pairs of numbers. */
function pairsOf(ownerships: readonly (readonly [string, string])[]): [number, number][] {
  const names = ['1', '2', '3', '3']
  const document = readSbom(
    Buffer.from(
      JSON.stringify({
        spdxVersion: 'SPDX-2.3',
        SPDXID: 'SPDXRef-DOCUMENT',
        name: 'image',
        packages: names.map((name, place) => ({ SPDXID: `SPDXRef-${place}`, name })),
        relationships: ownerships.map(([from, to]) => ({
          spdxElementId: `SPDXRef-${from}`,
          relatedSpdxElement: `SPDXRef-${to}`,
          relationshipType: 'OTHER',
          comment:
            'ownership-by-file-overlap: indicates that the parent package claims ownership of a child package',
        })),
      }),
    ),
  )
  const { owners, owned } = ownerNumbers(document, [...distinctComponents(document)], (row) =>
    Number(row.component.name),
  )
  return owners.map((owner, place) => [owner, owned[place] ?? 0])
}

it.each<[string, [string, string][], [number, number][]]>([
  ['nobody', [], []],
  ['one package another', [['0', '1']], [[1, 2]]],
  [
    'one package two others',
    [
      ['0', '1'],
      ['0', '2'],
    ],
    [
      [1, 2],
      [1, 3],
    ],
  ],
  [
    'entries of one component',
    [
      ['0', '2'],
      ['0', '3'],
    ],
    [[1, 3]],
  ],
  ['a component itself, by two entries', [['2', '3']], []],
])('%s owns', (_, ownerships, expected) => {
  expect(pairsOf(ownerships)).toEqual(expected)
})

it('keeps 20 000 pairs', () => {
  const packages = Array.from({ length: 300 }, (_, place) => ({
    SPDXID: `SPDXRef-${place}`,
    name: `${place}`,
  }))
  const references = packages.map(({ SPDXID }) => SPDXID)
  const document = readSbom(
    Buffer.from(
      JSON.stringify({ spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', name: 'image', packages }),
    ),
  )
  const ownerships = references.flatMap((from) => references.map((to) => ({ from, to })))
  const { owners, owned } = ownerNumbers(
    { ...document, ownerships },
    [...distinctComponents(document)],
    (row) => Number(row.component.name),
  )
  expect([owners.length, owned.length]).toEqual([20_000, 20_000])
})

const sample = join(
  import.meta.dirname,
  '../../../shared/data/sbom/containers/spdx-syft-hashicorp_tfc-agent.spdx.json',
)

it.skipIf(!existsSync(sample))('reads what Syft says of an image (needs the sample data)', () => {
  const document = readSbom(readFileSync(sample))
  const rows = [...distinctComponents(document)]
  const { owners, owned } = ownerNumbers(document, rows, (row) => rows.indexOf(row))
  const nameOf = (number: number | undefined) => rows[number ?? -1]?.component.purl?.split('?')[0]
  expect(owners.map((owner, place) => `${nameOf(owner)} owns ${nameOf(owned[place])}`)).toContain(
    'pkg:deb/ubuntu/python3-pip@20.0.2-5ubuntu1.6 owns pkg:pypi/pip@20.0.2',
  )
})
