import fc from 'fast-check'
import type { AdvisoryContent, DraftVulnerability } from '../../src/contract/advisories/shapes.ts'
import { validDraft } from './random-drafts.ts'

/** One fault in a publishable draft: the faulty draft, and the field the problem must name. */
type Fault = (draft: AdvisoryContent) => { draft: AdvisoryContent; field: string }

const blank = fc.constantFrom('', ' ', '\n\t ')
const notAnAddress = fc.constantFrom(
  'example',
  'javascript:alert(1)',
  'ftp://example.com/x',
  '//example.com',
  '',
)
const notACve = fc.constantFrom(
  'cve-2026-0001',
  'CVE-2026-1',
  'CVE-26-0001',
  'GHSA-jfh8-c2jp-5v3q',
  'CVE-2026-0001 ?',
)
const notADay = fc.constantFrom('', '2026-02-30', '2026-1-1', 'yesterday', '2026-01-01T00:00:00Z')

/** A fault in one of the draft's vulnerabilities. */
function inOne(
  place: number,
  change: (one: DraftVulnerability, draft: AdvisoryContent) => { one: DraftVulnerability; field: string },
): Fault {
  return (draft) => {
    const index = place % draft.vulnerabilities.length
    const found = draft.vulnerabilities[index]
    if (found === undefined) throw new Error('the draft has no vulnerability')
    const { one, field } = change(found, draft)
    const vulnerabilities = draft.vulnerabilities.with(index, one)
    return { draft: { ...draft, vulnerabilities }, field: `vulnerabilities.${index}.${field}` }
  }
}

const place = fc.nat(20)
const reference = (url: string, summary = 'Words') => ({ summary, url })

const inDraft: fc.Arbitrary<Fault> = fc.oneof(
  blank.map((title): Fault => (draft) => ({ draft: { ...draft, title }, field: 'title' })),
  fc.constant<Fault>((draft) => ({ draft: { ...draft, vulnerabilities: [] }, field: 'vulnerabilities' })),
  notAnAddress.map((url): Fault => (draft) => ({
    draft: { ...draft, references: [reference(url), ...draft.references] },
    field: 'references.0.url',
  })),
  fc.constant<Fault>((draft) => {
    const empty = { names: [], organization: '', summary: ' ', urls: [] }
    return { draft: { ...draft, acknowledgments: [empty] }, field: 'acknowledgments.0' }
  }),
  place.map((at): Fault => (draft) => ({
    draft: { ...draft, products: [...draft.products, ...draft.products.slice(at % draft.products.length)] },
    field: `products.${draft.products.length}`,
  })),
  fc.constant<Fault>((draft) => ({
    draft: {
      ...draft,
      vulnerabilities: [
        ...draft.vulnerabilities.map((one) => ({ ...one, cve: 'CVE-2026-0001' })),
        { ...draft.vulnerabilities[0], cve: 'CVE-2026-0001' } as DraftVulnerability,
      ],
    },
    field: `vulnerabilities.${draft.vulnerabilities.length}.cve`,
  })),
)

const inVulnerability: fc.Arbitrary<Fault> = fc.oneof(
  fc
    .tuple(place, blank)
    .map(([at, description]) => inOne(at, (one) => ({ one: { ...one, description }, field: 'description' }))),
  fc.tuple(place, notACve).map(([at, cve]) => inOne(at, (one) => ({ one: { ...one, cve }, field: 'cve' }))),
  place.map((at) => inOne(at, (one) => ({ one: { ...one, cve: '', ids: [] }, field: 'cve' }))),
  fc
    .tuple(place, blank)
    .map(([at, system]) =>
      inOne(at, (one) => ({ one: { ...one, ids: [{ system, text: 'A-1' }] }, field: 'ids.0.system' })),
    ),
  place.map((at) =>
    inOne(at, (one) => ({ one: { ...one, statuses: [], remediations: [] }, field: 'statuses' })),
  ),
  place.map((at) =>
    inOne(at, (one) => {
      const [first] = one.statuses
      if (first === undefined) throw new Error('the vulnerability has no status')
      return {
        one: { ...one, statuses: [...one.statuses, first] },
        field: `statuses.${one.statuses.length}`,
      }
    }),
  ),
  fc.tuple(place, fc.uuid()).map(([at, versionId]) =>
    inOne(at, (one) => ({
      one: {
        ...one,
        statuses: [...one.statuses, { versionId, status: 'fixed', justification: null, impact: '' }],
      },
      field: `statuses.${one.statuses.length}`,
    })),
  ),
  place.map((at) =>
    inOne(at, (one) => ({
      one: {
        ...one,
        statuses: one.statuses.map((row) => ({ ...row, status: 'affected' as const })),
        remediations: [],
      },
      field: 'remediations',
    })),
  ),
  fc.tuple(place, blank).map(([at, impact]) =>
    inOne(at, (one) => ({
      one: {
        ...one,
        statuses: one.statuses.map((row) => ({
          ...row,
          status: 'not_affected' as const,
          justification: null,
          impact,
        })),
      },
      field: 'statuses.0.justification',
    })),
  ),
  fc.tuple(place, notADay).map(([at, listedOn]) =>
    inOne(at, (one) => ({
      one: { ...one, exploits: [{ catalogue: 'kev', listedOn }] },
      field: 'exploits.0.listedOn',
    })),
  ),
  fc.tuple(place, notAnAddress).map(([at, url]) =>
    inOne(at, (one) => ({
      one: { ...one, references: [reference(url)] },
      field: 'references.0.url',
    })),
  ),
  fc.tuple(place, blank).map(([at, details]) =>
    inOne(at, (one) => {
      const versionIds = one.statuses.map(({ versionId }) => versionId)
      const remediation = { category: 'mitigation' as const, details, url: '', versionIds }
      return { one: { ...one, remediations: [remediation] }, field: 'remediations.0.details' }
    }),
  ),
)

const notAVector = fc.constantFrom(
  '',
  '9.8',
  'CVSS:3.1/AV:N',
  'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
)
const score = { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', versionIds: [] as string[] }

/** Faults in the fields that only the additions to the interface have. */
const inAdditions: fc.Arbitrary<Fault> = fc.oneof(
  fc.tuple(place, notAVector).map(([at, vector]) =>
    inOne(at, (one) => ({
      one: { ...one, scores: [{ vector, versionIds: [] }] },
      field: 'scores.0.vector',
    })),
  ),
  fc.tuple(place, fc.uuid()).map(([at, versionId]) =>
    inOne(at, (one) => ({
      one: { ...one, scores: [{ ...score, versionIds: [versionId] }] },
      field: 'scores.0.versionIds',
    })),
  ),
  place.map((at) =>
    inOne(at, (one) => ({
      one: {
        ...one,
        statuses: one.statuses.map((row) => ({ ...row, status: 'under_investigation' as const })),
        scores: [score, { ...score, versionIds: one.statuses.slice(0, 1).map(({ versionId }) => versionId) }],
      },
      field: 'scores.1.vector',
    })),
  ),
  fc
    .tuple(place, fc.constantFrom('CWE-0', '79', 'cwe-79', 'CWE-79: Cross-site Scripting'))
    .map(([at, cwe]) => inOne(at, (one) => ({ one: { ...one, cwe }, field: 'cwe' }))),
  fc
    .tuple(
      place,
      notADay.filter((day) => day !== ''),
      fc.constantFrom('discoveredOn' as const, 'disclosedOn' as const),
    )
    .map(([at, day, field]) => inOne(at, (one) => ({ one: { ...one, [field]: day }, field }))),
  fc
    .tuple(
      place,
      notADay.filter((day) => day !== ''),
    )
    .map(([at, date]) =>
      inOne(at, (one) => {
        const versionIds = one.statuses.map(({ versionId }) => versionId)
        const remediation = { category: 'mitigation' as const, details: 'Wait.', url: '', versionIds, date }
        return { one: { ...one, remediations: [remediation] }, field: 'remediations.0.date' }
      }),
    ),
  place.map((at) =>
    inOne(at, (one) => {
      const empty = { names: [' '], organization: '', summary: '', urls: [] }
      return { one: { ...one, acknowledgments: [empty] }, field: 'acknowledgments.0' }
    }),
  ),
  fc
    .constantFrom(
      { change: { version: 'vers:', isRange: true }, field: 'products.0' },
      { change: { version: '>=1.0|<2.0', isRange: true }, field: 'products.0' },
      { change: { version: 'vers:nobody/<1', isRange: true }, field: 'products.0' },
      { change: { purl: 'pump@2.0' }, field: 'products.0.purl' },
      { change: { cpe: 'cpe:2.3:acme' }, field: 'products.0.cpe' },
    )
    .map(({ change, field }): Fault => (draft) => ({
      draft: {
        ...draft,
        products: draft.products.map((one, at) => (at === 0 ? { ...one, ...change } : one)),
      },
      field,
    })),
)

/** A draft with one fault, and the field whose problem must be reported. */
export const brokenDraft = fc
  .tuple(validDraft, fc.oneof(inDraft, inVulnerability, inAdditions))
  .map(([draft, fault]) => fault(draft))
