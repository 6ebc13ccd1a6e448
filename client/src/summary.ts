import type { Matches, SbomReceipt, VexReceipt } from './answers.ts'
import type { PolicyHit, PolicyTerm } from './policy.ts'

/** Why components were not checked, in the order of the answer. */
const notChecked = [
  ['notCovered', 'no source of vulnerability data covers them'],
  ['noVersion', 'they have no version'],
  ['uncomparable', 'their version cannot be compared'],
  ['releaseUnknown', 'their distribution release is not known'],
  ['dataNotLoaded', 'the data of their ecosystem is not loaded yet'],
  ['noSource', 'the source of vulnerability data has none for their ecosystem'],
] as const satisfies [keyof Matches['coverage'], string][]

/** What became of an upload. */
export function describeReceipt(sbom: SbomReceipt, askedVersion: string | null): string {
  const what = `${counted(sbom.components, 'component')} of ${versionName(sbom.version)}`
  const first = sbom.duplicate ? `Already stored: ${what} (${sbom.status})` : `Stored: ${what}`
  return [first, ...duplicateNote(sbom, askedVersion), sbom.url].join('\n')
}

/** What became of a VEX document. */
export function describeVex(vex: VexReceipt, askedVersion: string | null): string {
  const range = vex.version === null ? 'every version' : versionName(vex.version)
  const counts = [counted(vex.statements, 'statement'), counted(vex.findings, 'reported finding')]
  return [
    `${vex.duplicate ? 'Already stored' : 'Stored'}: ${vex.format}, ${counts.join(' and ')} for ${range}`,
    ...(vex.unbound > 0
      ? [`${counted(vex.unbound, 'statement')} without a component that can be recognised`]
      : []),
    ...(vex.replaced > 0 ? [`Replaces ${counted(vex.replaced, 'earlier document')}`] : []),
    ...duplicateNote(vex, askedVersion),
    vex.url,
  ].join('\n')
}

/** The stored record answers for a duplicate, whatever version comes along (docs/decisions/0009, "The same bytes"). */
function duplicateNote(
  stored: { duplicate: boolean; version: string | null },
  asked: string | null,
): string[] {
  const version = asked?.trim() ?? ''
  if (!stored.duplicate || version === '' || version === stored.version) return []
  return [
    `Note: the same file is stored for ${versionName(stored.version)}; --product-version changes nothing.`,
  ]
}

/** What was found, and just as plainly what was not checked. */
export function describeResult(sbom: SbomReceipt, { coverage, ...matches }: Matches): string {
  const { bySeverity, byGrade } = matches
  const severities = Object.entries(bySeverity).map(([severity, count]) => `${severity} ${count}`)
  const gaps = notChecked.filter(([part]) => coverage[part] > 0)
  return [
    `Findings       ${matches.total} (exact ${byGrade.exact}, possible ${byGrade.possible})`,
    `  severity     ${severities.join(', ')}`,
    `  exploited    ${matches.exploited}`,
    `Not affected   ${matches.notAffected}`,
    `Checked        ${coverage.covered} of ${counted(sbom.components, 'component')}`,
    ...gaps.map(([part, why]) => `  not checked  ${coverage[part]}: ${why}`),
  ].join('\n')
}

/** The judgement on `--fail-on`. */
export function describePolicy(terms: readonly PolicyTerm[], hits: readonly PolicyHit[]): string {
  if (hits.length === 0) return `Policy         ${terms.join(', ')}: nothing found`
  return hits
    .map(({ term, count }) => `Policy         ${termName(term)}: ${counted(count, 'finding')}`)
    .join('\n')
}

/** A gate that had nothing to judge. */
export function describeUnchecked(terms: readonly PolicyTerm[], isAllowed: boolean): string {
  const accepted = isAllowed ? ', accepted by --allow-unchecked' : '; --allow-unchecked accepts this'
  return `Policy         ${terms.join(', ')}: not judged, no component could be checked${accepted}`
}

function termName(term: PolicyTerm): string {
  return term === 'high' || term === 'medium' || term === 'low' ? `${term} or worse` : term
}

function versionName(version: string | null): string {
  return version === null ? 'a product without version' : `version ${version}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
