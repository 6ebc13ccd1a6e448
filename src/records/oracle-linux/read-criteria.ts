import { epochOf, foldEpoch, withoutEpoch } from '../../identities/distributions/epoch.ts'
import type { RpmFix, RpmPlatform } from '../rpm-advisories/advisory.ts'
import { attributeOf, childOf, elementsBelow, type XmlElement } from '../../source-files/xml-elements.ts'

/** Further conditions under which a fix is one of the component's. */
type Condition = { release: string | null; module: string | null }

type ConditionalFix = { place: Condition; fix: RpmFix }

const installed = /^Oracle Linux (\d{1,2})\b.{0,40}is installed$/
const enabled = /^Module (\S{1,80}:\S{1,80}) is enabled$/
const earlier = /^(\S{1,200}) is earlier than (\S{1,200})$/

/** The packages of a definition with their fixes, by release. */
export function platformsOf(definition: XmlElement): RpmPlatform[] {
  const criteria = childOf(definition, 'criteria')
  if (criteria === undefined) return []
  const stated = [...elementsBelow(definition, 'platform')].flatMap(
    ({ text }) => /^\s*Oracle Linux (\d{1,2})\s*$/.exec(text)?.[1] ?? [],
  )
  const byRelease = new Map<string, Map<string, RpmFix>>()
  for (const { place, fix } of placedIn(criteria, { release: null, module: null })) {
    for (const release of place.release === null ? stated : [place.release]) {
      let fixes = byRelease.get(release)
      if (fixes === undefined) byRelease.set(release, (fixes = new Map<string, RpmFix>()))
      fixes.set([fix.name, fix.fixed, fix.module ?? ''].join('\n'), fix)
    }
  }
  return [...byRelease]
    .map(([release, fixes]) => ({
      ecosystem: `Oracle Linux:${release}`,
      fixes: [...fixes.values()].sort(byName),
    }))
    .sort((a, b) => (a.ecosystem < b.ecosystem ? -1 : 1))
}

function byName(a: RpmFix, b: RpmFix): number {
  return a.name < b.name || (a.name === b.name && a.fixed < b.fixed) ? -1 : 1
}

/** Criteria joined by AND qualify each other; alternatives do not. */
function* placedIn(criteria: XmlElement, around: Condition): Generator<ConditionalFix> {
  const comments = criteria.children
    .filter(({ name }) => name === 'criterion')
    .map((criterion) => attributeOf(criterion, 'comment'))
  const isTogether = attributeOf(criteria, 'operator') !== 'OR'
  const place = isTogether ? comments.reduce(narrowed, around) : around
  for (const comment of comments) {
    const fix = fixIn(comment, place)
    if (fix !== undefined) yield { place, fix }
  }
  for (const child of criteria.children) if (child.name === 'criteria') yield* placedIn(child, place)
}

function narrowed(place: Condition, comment: string): Condition {
  const release = installed.exec(comment)?.[1]
  const module = enabled.exec(comment)?.[1]
  return { release: release ?? place.release, module: module ?? place.module }
}

function fixIn(comment: string, { module }: Condition): RpmFix | undefined {
  const [, name, version] = earlier.exec(comment) ?? []
  if (name === undefined || version === undefined) return undefined
  const fixed = foldEpoch(version, null)
  return { name, fixed, ...lineOf(name, fixed), ...(module === null ? {} : { module }) }
}

const ownKernel = /^kernel-uek|\.el\d{1,2}uek(?:$|[._])/

/**
 * Several lines of Oracle's own kernel (UEK) are kept for one release, under one name, and their notices name tools (`perf`) as the ordinary kernel has them.
 * All of a line have one version, and count in the release of the package (`5.15.0-209.161.7.el8uek`).
 */
function lineOf(name: string, fixed: string): Pick<RpmFix, 'from'> {
  const bare = withoutEpoch(fixed)
  const end = bare.lastIndexOf('-')
  return end > 0 && (ownKernel.test(name) || ownKernel.test(bare))
    ? { from: foldEpoch(bare.slice(0, end), epochOf(fixed)) }
    : {}
}
