import type { DataBehind, Finding, Matches, Result, SbomReceipt, VexReceipt } from './answers.ts'
import { describeAge, effectOf, outdatedIn } from './data-age.ts'
import { isUnchecked, meets, type Policy, type PolicyHit, type PolicyTerm } from './policy.ts'

/** Why components were not checked. */
const reasons: Readonly<Record<string, string>> = {
  notCovered: 'no source of vulnerability data covers them',
  noVersion: 'they have no version',
  uncomparable: 'their version cannot be compared',
  releaseUnknown: 'their distribution release is not known',
  dataNotLoaded:
    'the data of their ecosystem is not loaded, or only in part: findings from that part are counted, there may be more',
  noSource: 'the source of vulnerability data has none for their ecosystem, or for their release of it',
  sourceUnknown: 'the source package that they were built from is not known',
  unreadable: 'their package URL cannot be read',
}

/** Number of findings printed in a job log; machine-readable formats have all of them. */
const shownFindings = 10

/** The result of an upload. */
export function describeReceipt(sbom: SbomReceipt, askedVersion: string | null): string {
  const what = `${counted(sbom.components, 'component')} of ${versionName(sbom.version)}`
  const first = sbom.duplicate ? `Already stored: ${what} (${sbom.status})` : `Stored: ${what}`
  return [first, ...duplicateNote(sbom, askedVersion), sbom.url].join('\n')
}

/** The result of a VEX upload. */
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

/** For a duplicate the service returns the stored record, whatever version was sent (docs/decisions/0009, "The same bytes"). */
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
export function describeResult(sbom: SbomReceipt, { matches, data, worst }: Result): string {
  const { bySeverity, byGrade } = matches
  const severities = Object.entries(bySeverity).map(([severity, count]) => `${severity} ${count}`)
  const counts = [
    `Findings       ${matches.total} (exact ${byGrade.exact}, possible ${byGrade.possible})`,
    ...(matches.malware > 0 ? [`  malware      ${matches.malware}`] : []),
    `  severity     ${severities.join(', ')}`,
    `  exploited    ${matches.exploited}`,
  ]
  return [
    ...(isSilent(matches) ? ['Findings       not known: no component could be checked'] : counts),
    `Not affected   ${matches.notAffected}`,
    `Checked        ${describeChecked(sbom, matches)}`,
    ...gapsOf(matches).map(({ count, why }) => `  not checked  ${count}: ${why}`),
    ...describeOutdated(data, matches),
    ...(worst === null ? [] : describeWorst(worst, matches.total)),
  ].join('\n')
}

function describeOutdated(data: DataBehind | null, matches: Matches): string[] {
  const outdated = outdatedIn(data)
  if (data === null || outdated.length === 0) return []
  return [
    `Out of date    ${describeStale(data, matches)}`,
    ...outdated.map((source) => `  ${source.label}: ${describeAge(source)}; ${effectOf(source)}`),
  ]
}

/** How many of the checked components rest on data that may be incomplete. */
export function describeStale({ stale }: DataBehind, { coverage }: Matches): string {
  return stale === 0
    ? 'what is known to be exploited'
    : `the data of ${stale} of ${counted(coverage.covered, 'checked component')}`
}

/** Finding nothing where nothing could be checked is not zero. */
export function isSilent(matches: Matches): boolean {
  return matches.total === 0 && isUnchecked(matches)
}

/** How many components "nothing found" refers to; empty where all were checked. */
export function amongChecked({ coverage }: Matches): string {
  const distinct = distinctOf(coverage)
  return coverage.covered === distinct
    ? ''
    : ` in the ${coverage.covered} of ${distinct} components that were checked`
}

function distinctOf(coverage: Matches['coverage']): number {
  return Object.values(coverage).reduce((sum, part) => sum + part, 0)
}

/** An SBOM may list a component several times; each is checked once. */
export function describeChecked({ components: entries }: SbomReceipt, { coverage }: Matches): string {
  const distinct = distinctOf(coverage)
  return distinct === entries
    ? `${coverage.covered} of ${counted(entries, 'component')}`
    : `${coverage.covered} of ${counted(distinct, 'distinct component')}, in ${counted(entries, 'entry', 'entries')} of the SBOM`
}

/** Why components were not checked, in the order of the answer. */
export function gapsOf({ coverage }: Matches): { count: number; why: string }[] {
  return Object.entries(coverage)
    .filter(([part, count]) => part !== 'covered' && count > 0)
    .map(([part, count]) => ({ count, why: reasons[part] ?? part }))
}

function describeWorst(worst: readonly Finding[], total: number): string[] {
  const shown = worst.slice(0, shownFindings)
  if (shown.length === 0) return []
  const more = total - shown.length
  return [
    'Worst',
    ...shown.flatMap((finding) => [`  ${describeFinding(finding)}`, `    ${finding.url}`]),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

/** `critical, exploited  CVE-2021-44228  log4j-core 2.14.1  fixed in 2.15.0` */
export function describeFinding(finding: Finding): string {
  return [classOf(finding), finding.id, componentOf(finding), remedyOf(finding)].join('  ')
}

export function classOf({ malware, exploited, severity }: Finding): string {
  if (malware) return 'malware'
  const rank = severity === 'unknown' ? 'severity unknown' : severity
  return exploited ? `${rank}, exploited` : rank
}

export function componentOf({ component: { name, version } }: Finding): string {
  return visible(version === null ? name : `${name} ${version}`)
}

/** Names come from documents: what is invisible in them, or turns the direction of what follows (U+202E), is written out. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
    return `[U+${point.padStart(4, '0')}]`
  })
}

export function remedyOf({ malware, fixedIn }: Finding): string {
  if (malware) return 'remove it'
  return fixedIn === null ? 'no fix known' : `fixed in ${visible(fixedIn)}`
}

/** The result of `--fail-on`, with the findings that caused it, as far as they are listed. */
export function describePolicy(
  { failOn, allowsMalware }: Policy,
  hits: readonly PolicyHit[],
  { matches, data, worst }: Result,
): string {
  if (hits.length === 0) {
    const isOld = outdatedIn(data).length > 0 ? ', by data that are out of date' : ''
    return `Policy         ${failOn.join(', ')}: nothing found${amongChecked(matches)}${isOld}`
  }
  return hits
    .map(({ term, count }) => {
      const counting = (worst ?? []).filter(({ malware }) => !malware || !allowsMalware)
      const listed = counting.filter((finding) => meets(term, finding)).map(({ id }) => id)
      return `Policy         ${termName(term)}: ${counted(count, 'finding')}${nameHits(listed, count)}`
    })
    .join('\n')
}

/** `ids`: of the findings that are listed, of `count`; several may have the same one. */
function nameHits(ids: readonly string[], count: number): string {
  const shown = [...new Set(ids)].slice(0, shownFindings)
  if (shown.length === 0) return ''
  const more = count - ids.filter((id) => shown.includes(id)).length
  return `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** A gate that could not judge anything. */
export function describeUnchecked(terms: readonly PolicyTerm[], isAllowed: boolean): string {
  const accepted = isAllowed ? ', accepted by --allow-unchecked' : '; --allow-unchecked accepts this'
  return `Policy         ${terms.join(', ')}: not judged, no component could be checked${accepted}`
}

/** A gate whose data exceed its age limit. */
export function describeTooOld(terms: readonly PolicyTerm[], why: string): string {
  return `Policy         ${terms.join(', ')}: not judged, ${why}`
}

export function termName(term: PolicyTerm): string {
  return term === 'high' || term === 'medium' || term === 'low' ? `${term} or worse` : term
}

function versionName(version: string | null): string {
  return version === null ? 'a product without version' : `version ${version}`
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
