import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looksEmpty } from '../../../contract/hidden-characters.ts'
import {
  justifications,
  verdicts,
  vexFormats,
  type VexFormat,
  type VexStatement,
} from '../../../contract/vex/shapes.ts'
import { justificationOf, justificationWord } from '../justification-words.ts'
import { readVex } from '../read-vex.ts'
import { demandedTexts, type VexState, type VexStateEntry, type VexStateTarget } from '../vex-state.ts'
import { vulnerabilityName } from './write-csaf-vulnerability.ts'
import { writeVex } from './write-vex.ts'

/** A text as it is stored: clean, with something to be seen in it. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((value) => value.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '').trim())
  .filter((value) => !looksEmpty(value))
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const purl = fc.integer({ min: 1, max: 99 }).map((number) => `pkg:npm/%40scope/part-${number}@1.0.0+b`)
const cpe = fc.constantFrom('cpe:/a:v:p:1', 'cpe:2.3:a:v:p:1:*:*:*:*:*:*:*')
const identifiers = fc.oneof(
  fc.record({ purl, cpe }, { requiredKeys: ['purl'] }),
  fc.record({ purl, cpe }, { requiredKeys: ['cpe'] }),
)
const target = fc.oneof(
  fc.constant<VexStateTarget>({ kind: 'product' }),
  identifiers.map((given): VexStateTarget => ({ kind: 'component', ...given })),
)
const id = fc.oneof(
  fc.integer({ min: 1000, max: 1020 }).map((number) => `CVE-2024-${number}`),
  fc.integer({ min: 1, max: 20 }).map((number) => `GHSA-${number}`),
)
const targetKey = (given: VexStateTarget) => JSON.stringify(given)
const entry: fc.Arbitrary<VexStateEntry> = fc.record(
  {
    vulnerabilityIds: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
    verdict: fc.constantFrom(...verdicts),
    justification: fc.constantFrom(...justifications),
    impact: text,
    action: text,
    time,
    targets: fc.uniqueArray(target, { minLength: 1, maxLength: 4, selector: targetKey }),
  },
  { requiredKeys: ['vulnerabilityIds', 'verdict', 'time', 'targets'] },
)

/** At most one entry for each vulnerability and target, as a state has it. */
function withoutContradictions(entries: VexStateEntry[]): VexStateEntry[] {
  const seen = new Set<string>()
  return entries.flatMap((given) => {
    const targets = given.targets.filter((one) => {
      const key = `${vulnerabilityName(given)} ${targetKey(one)}`
      const isNew = !seen.has(key)
      seen.add(key)
      return isNew
    })
    return targets.length === 0 ? [] : [{ ...given, targets }]
  })
}

const state: fc.Arbitrary<VexState> = fc.record({
  revision: fc
    .record({ documentId: fc.uuid(), number: fc.constant(1), at: time.map((text) => new Date(text)) })
    .map((revision) => ({ ...revision, firstAt: revision.at })),
  author: text,
  namespace: fc.constant('https://example.com'),
  address: fc.constant('https://example.com/vex.json'),
  product: fc.record({
    name: text,
    version: fc.option(text),
    purl: fc.constant('pkg:generic/product@1'),
  }),
  entries: fc.array(entry, { minLength: 1, maxLength: 6 }).map(withoutContradictions),
})

type Said = Pick<VexStatement, 'verdict' | 'justification' | 'impact' | 'action' | 'time'> & {
  ids: string
  target: string
}

const productPurl = 'pkg:generic/product@1'

function lineOf(said: Said): string {
  const { ids, target: on, verdict, justification, impact, action, time: at } = said
  return JSON.stringify([ids, on, verdict, justification ?? '', impact ?? '', action ?? '', at])
}

/** What a format keeps of each verdict on a target, as text. */
function expectedOf(format: VexFormat, { entries, revision: { at } }: VexState): string[] {
  return entries.flatMap((given) =>
    given.targets.map((one) => {
      const { verdict, justification, impact, action, vulnerabilityIds } = given
      const isNotAffected = verdict === 'not_affected'
      // OpenVEX and CSAF demand a text here, and one that the state does not have is filled in.
      const demands = format !== 'cyclonedx'
      const demandsImpact = demands && isNotAffected && justification === undefined
      const demandsAction = demands && verdict === 'affected'
      // CycloneDX has no word for component_not_present: it becomes code_not_present.
      const label = justification && justificationOf(format, justificationWord(format, justification))
      // CSAF names a CVE alone, or all ids of entries that have none.
      const ids = format === 'csaf' ? vulnerabilityName(given) : vulnerabilityIds.join()
      return lineOf({
        ids,
        target:
          one.kind === 'product'
            ? `${format === 'cyclonedx' ? 'product' : 'component'} ${productPurl} -`
            : `component ${one.purl ?? '-'} ${one.cpe ?? '-'}`,
        verdict,
        ...(isNotAffected && label && { justification: label }),
        impact: impact ?? (demandsImpact ? demandedTexts.impact : ''),
        action: action ?? (demandsAction ? demandedTexts.action : ''),
        // CSAF has one time for all.
        time: format === 'csaf' ? at.toISOString() : given.time,
      })
    }),
  )
}

function readBack(format: VexFormat, document: unknown): string[] {
  return readVex(document).statements.flatMap((statement) =>
    statement.targets.map((one) =>
      lineOf({
        ...statement,
        ids: format === 'csaf' ? (statement.vulnerabilityIds[0] ?? '') : statement.vulnerabilityIds.join(),
        target: `${one.kind} ${one.purl ?? '-'} ${one.cpe ?? '-'}`,
      }),
    ),
  )
}

describe.each(vexFormats)('%s', (format) => {
  it('what is written is read', () => {
    fc.assert(
      fc.property(state, (given) => {
        const document: unknown = JSON.parse(writeVex(format, given))
        expect(readBack(format, document).sort()).toEqual(expectedOf(format, given).sort())
        expect(readVex(document)).toMatchObject({
          author: given.author,
          time: given.revision.at.toISOString(),
          unbound: 0,
        })
      }),
      { numRuns: 300 },
    )
  })
})

type Csaf = {
  product_tree: {
    full_product_names?: { product_id: string }[]
    relationships?: { full_product_name: { product_id: string } }[]
  }
  vulnerabilities: {
    cve?: string
    ids?: { text: string }[]
    notes: { text: string }[]
    product_status: Record<string, string[]>
    flags?: { product_ids: string[] }[]
    threats?: { product_ids: string[] }[]
    remediations?: { product_ids: string[] }[]
  }[]
}

it('CSAF keeps the rules of the VEX profile (6.1.1, 6.1.2, 6.1.6, 6.1.23, 6.1.27, 6.1.33)', () => {
  fc.assert(
    fc.property(state, (given) => {
      const { product_tree: tree, vulnerabilities } = JSON.parse(writeVex('csaf', given)) as Csaf
      const defined = [
        'product',
        ...(tree.full_product_names ?? []).map((product) => product.product_id),
        ...(tree.relationships ?? []).map((product) => product.full_product_name.product_id),
      ]
      expect(new Set(defined).size).toBe(defined.length)
      const cves = vulnerabilities.flatMap(({ cve }) => cve ?? [])
      expect(new Set(cves).size).toBe(cves.length)
      for (const { cve, ids, notes, product_status: status, ...remarks } of vulnerabilities) {
        const listed = Object.values(status).flat()
        expect(listed.length).toBeGreaterThan(0)
        expect(new Set(listed).size).toBe(listed.length)
        expect(defined).toEqual(expect.arrayContaining(listed))
        expect(cve ?? ids?.[0]?.text).toBeTruthy()
        expect((ids ?? []).map(({ text: other }) => other).join()).not.toMatch(/CVE-/)
        expect(notes[0]?.text).toBeTruthy()
        const flagged = (remarks.flags ?? []).flatMap(({ product_ids }) => product_ids)
        const explained = (remarks.threats ?? []).flatMap(({ product_ids }) => product_ids)
        const remedied = (remarks.remediations ?? []).flatMap(({ product_ids }) => product_ids)
        expect(new Set(flagged).size).toBe(flagged.length)
        expect([...flagged, ...explained]).toEqual(expect.arrayContaining(status['known_not_affected'] ?? []))
        expect(remedied).toEqual(expect.arrayContaining(status['known_affected'] ?? []))
      }
    }),
    { numRuns: 200 },
  )
})
