import fc from 'fast-check'
import {
  advisorySeverities,
  remediationCategories,
  restartCategories,
  tlpLabels,
  type AdvisoryContent,
  type DraftProduct,
  type DraftVulnerability,
} from '../../src/contract/advisories/shapes.ts'
import { looksEmpty } from '../../src/contract/hidden-characters.ts'
import { justifications, verdicts } from '../../src/contract/vex/shapes.ts'
import { listWeaknesses } from '../../src/advisories/document/weaknesses.ts'
import type { DocumentInput, Revision } from '../../src/advisories/document/build-document.ts'
import { documentFileName } from '../../src/advisories/document/file-name.ts'
import { firstNumber, nextNumber } from '../../src/advisories/document/version-number.ts'

/** Words in any script, with markup and characters that often break formats. */
const word = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'naïve',
    'Überlauf',
    'пример',
    '漏洞',
    'ثغرة',
    '👩‍🚀',
    '<b>',
    '&amp;',
    '"',
    '\\',
    '${x}',
    '--',
    ']]>',
    '%00',
    'a\tb',
  ),
)
const withoutControls = (text: string) => text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')
const line = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .map((words) => withoutControls(words.join(' ')).trim())
  .filter((text) => !looksEmpty(text) && text.isWellFormed())
const text = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
const maybe = (some: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), some)
const versionName = fc.oneof(
  fc.tuple(fc.nat(20), fc.nat(20)).map(([major, minor]) => `${major}.${minor}`),
  line.filter(
    (name) =>
      !/[<>]/.test(name) && !/(^|\s)(after|all|before|earlier|later|prior|versions)(\s|$)/i.test(name),
  ),
)
const url = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'https://example.com',
    'http://example.com:8080/a?b=c&d=[e]#f',
    'https://exämple.com/ä/漏洞?q=ü|{}^`"#a#b',
    'HTTPS://EXAMPLE.com/100%',
    'https://[2001:db8::1]/x',
  ),
)
const reference = fc.record({ summary: line, url })
const uuid = fc.uuid()
const acknowledgment = fc.record({
  names: fc.array(line, { minLength: 1, maxLength: 3 }),
  organization: maybe(line),
  summary: maybe(line),
  urls: fc.array(url, { maxLength: 2 }),
})

const products: fc.Arbitrary<DraftProduct[]> = fc
  .uniqueArray(fc.tuple(uuid, line), { minLength: 1, maxLength: 4, selector: ([id]) => id })
  .chain((families) =>
    fc.uniqueArray(
      fc
        .tuple(fc.constantFrom(...families), uuid, versionName)
        .chain(([[familyId, family], versionId, version]) =>
          productOf({ versionId, familyId, family, version }),
        ),
      { minLength: 1, maxLength: 8, selector: ({ version, familyId }) => `${familyId} ${version}` },
    ),
  )

/** A version or a range in its place, with or without identifiers for tools. */
function productOf(product: DraftProduct): fc.Arbitrary<DraftProduct> {
  return fc
    .record({
      purl: fc.constantFrom('', 'pkg:generic/acme/pump@2.0', 'pkg:npm/%40acme/pump@1.0.0?arch=arm64'),
      cpe: fc.constantFrom('', 'cpe:2.3:a:acme:pump:2.0:*:*:*:*:*:*:*', 'cpe:/a:acme:pump:2.0'),
      range: fc.option(
        fc
          .tuple(fc.constantFrom('semver', 'generic', 'deb'), fc.nat(20))
          .map(([type, low]) => `vers:${type}/>=${low}.0|<${low + 1}.5`),
      ),
    })
    .chain(({ range, ...helper }) =>
      fc.constantFrom(
        range === null ? product : { ...product, version: range, isRange: true },
        range === null ? { ...product, ...helper } : { ...product, ...helper, version: range, isRange: true },
      ),
    )
}

/** Base vectors of every version CSAF 2.0 supports, some with metrics of other groups. */
const vectors = {
  '2.0': vectorOf('', 'AV:LAN AC:HML Au:MSN C:NPC I:NPC A:NPC', ['', '/E:POC/RL:OF/RC:C']),
  '3.0': vectorOf('CVSS:3.0/', 'AV:NALP AC:LH PR:NLH UI:NR S:UC C:HLN I:HLN A:HLN', ['', '/E:P']),
  '3.1': vectorOf('CVSS:3.1/', 'AV:NALP AC:LH PR:NLH UI:NR S:UC C:HLN I:HLN A:HLN', ['', '/E:U/CR:H/MAV:L']),
}

function vectorOf(prefix: string, metrics: string, more: string[]): fc.Arbitrary<string> {
  const base = metrics.split(' ').map((metric) => {
    const [name = '', values = ''] = metric.split(':')
    return fc.constantFrom(...values).map((value) => `${name}:${value}`)
  })
  return fc
    .tuple(fc.tuple(...base), fc.constantFrom(...more))
    .map(([parts, rest]) => prefix + parts.join('/') + rest)
}

/** At most one score per CVSS version, for all affected versions or some. */
function scoresOf(statuses: Statuses): fc.Arbitrary<NonNullable<DraftVulnerability['scores']>> {
  const judged = statuses.map(({ versionId }) => versionId)
  return fc
    .subarray(['2.0', '3.0', '3.1'] as const)
    .chain((versions) =>
      fc.tuple(
        ...versions.map((version) =>
          fc.record({ vector: vectors[version], versionIds: fc.subarray(judged) }),
        ),
      ),
    )
}

const day = fc.constantFrom('', '2024-02-29', '2021-11-03')
const weakness = fc.constantFrom('', ...listWeaknesses().map(({ id }) => id))

type Statuses = DraftVulnerability['statuses']

function statusesOf(picked: readonly DraftProduct[]): fc.Arbitrary<Statuses> {
  return fc.subarray([...picked], { minLength: 1 }).chain((some) =>
    fc.tuple(
      ...some.map(({ versionId }) =>
        fc
          .record({
            status: fc.constantFrom(...verdicts),
            justification: fc.option(fc.constantFrom(...justifications)),
            impact: maybe(text),
          })
          .map((row) => {
            const isBare = row.status === 'not_affected' && row.justification === null && row.impact === ''
            return { versionId, ...row, ...(isBare && { impact: 'It has no such code.' }) }
          }),
      ),
    ),
  )
}

/** A remediation for every affected version, and more. */
function remediationsOf(statuses: Statuses): fc.Arbitrary<DraftVulnerability['remediations']> {
  const judged = statuses.map(({ versionId }) => versionId)
  const affected = statuses.filter(({ status }) => status === 'affected').map(({ versionId }) => versionId)
  const entry = (
    versionIds: fc.Arbitrary<string[]>,
    categories: readonly (typeof remediationCategories)[number][],
  ) =>
    fc.record(
      {
        category: fc.constantFrom(...categories),
        details: text,
        url: maybe(url),
        versionIds,
        date: day,
        restart: fc.option(fc.constantFrom(...restartCategories)),
      },
      { requiredKeys: ['category', 'details', 'url', 'versionIds'] },
    )
  const others = fc.array(entry(fc.subarray(judged, { minLength: 1 }), ['mitigation', 'workaround']), {
    maxLength: 2,
  })
  if (affected.length === 0) return others
  return fc
    .tuple(entry(fc.constant(affected), remediationCategories), others)
    .map(([own, more]) => [own, ...more])
}

function vulnerabilityOf(cve: string, picked: readonly DraftProduct[]): fc.Arbitrary<DraftVulnerability> {
  return statusesOf(picked).chain((statuses) =>
    fc.record({
      cve: fc.constant(cve),
      ids: fc.array(fc.record({ system: line, text: line.filter((id) => !/^CVE-\d{4}-\d{4,}$/i.test(id)) }), {
        minLength: cve === '' ? 1 : 0,
        maxLength: 2,
      }),
      title: maybe(line),
      description: text,
      statuses: fc.constant(statuses),
      remediations: remediationsOf(statuses),
      exploits: fc.uniqueArray(
        fc.record({
          catalogue: fc.constantFrom('kev' as const, 'euvd' as const),
          listedOn: fc.constantFrom('2024-02-29', '2021-11-03'),
        }),
        { maxLength: 2, selector: ({ catalogue }) => catalogue },
      ),
      references: fc.array(reference, { maxLength: 3 }),
      scores: scoresOf(statuses),
      cwe: weakness,
      discoveredOn: day,
      disclosedOn: day,
      acknowledgments: fc.array(acknowledgment, { maxLength: 2 }),
    }),
  )
}

const cves = fc.uniqueArray(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.integer({ min: 1999, max: 2030 }), fc.integer({ min: 1000, max: 99_999 }))
        .map(([year, n]) => `CVE-${year}-${n}`),
    },
    { weight: 1, arbitrary: fc.constant('') },
  ),
  { minLength: 1, maxLength: 5 },
)

/** A publishable draft. */
export const validDraft: fc.Arbitrary<AdvisoryContent> = fc.tuple(products, cves).chain(([picked, names]) =>
  fc.record({
    title: line,
    summary: maybe(text),
    tlp: fc.constantFrom(...tlpLabels),
    products: fc.constant(picked),
    vulnerabilities: fc.tuple(...names.map((cve) => vulnerabilityOf(cve, picked))),
    references: fc.array(reference, { maxLength: 3 }),
    acknowledgments: fc.array(acknowledgment, { maxLength: 2 }),
    severity: fc.option(fc.constantFrom(...advisorySeverities), { nil: null }),
    generalNote: maybe(text),
    legalNote: maybe(text),
  }),
)

const trackingId = fc
  .string({
    unit: fc.constantFrom('A', 'B', 'C', 'a', 'b', '0', '1', '9', '.', '_', '-'),
    minLength: 1,
    maxLength: 64,
  })
  .filter((id) => !/\.json$/i.test(id))

/** Up to six versions, each an update or a correction of the one before. */
const history: fc.Arbitrary<Revision[]> = fc
  .tuple(
    fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
    line,
    fc.array(
      fc.tuple(
        fc.constantFrom('update' as const, 'correction' as const),
        fc.integer({ min: 1, max: 1e10 }),
        line,
      ),
      { maxLength: 5 },
    ),
  )
  .map(([date, summary, later]) => {
    const revisions: Revision[] = [{ number: firstNumber, date, summary }]
    for (const [kind, afterMs, words] of later) {
      const last = revisions.at(-1) ?? { number: '', date, summary }
      revisions.push({
        number: nextNumber(last.number, kind),
        date: new Date(last.date.getTime() + afterMs),
        summary: words,
      })
    }
    return revisions
  })

/** A publishable document of any draft, version and publisher. */
export const validInput: fc.Arbitrary<DocumentInput> = fc.record({
  content: validDraft,
  publisher: fc.record({
    name: line,
    namespace: fc.constantFrom(
      'https://www.example.com',
      'https://sbom.example.com/csaf/acme',
      'http://localhost:3000/csaf/acme',
    ),
    contactDetails: line,
  }),
  trackingId,
  history,
  generator: line,
  selfUrl: trackingId.map((id) => `https://sbom.example.com/csaf/acme/white/2026/${documentFileName(id)}`),
})
