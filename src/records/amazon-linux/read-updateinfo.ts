import { foldEpoch } from '../../identities/distributions/epoch.ts'
import { inflatedChunks } from '../../source-files/inflated-chunks.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { checkedAdvisory, type RpmAdvisory, type RpmFix } from '../rpm-advisories/advisory.ts'
import {
  attributeOf,
  childOf,
  childText,
  elementsBelow,
  xmlElements,
  type XmlElement,
} from '../../source-files/xml-elements.ts'
import { readAdvisoryId, type AdvisoryId } from './advisory-id.ts'

/** About ten times the largest repository. */
const maxBytes = 2 * 1024 ** 3

const updates = { root: 'updates', element: 'update', title: 'advisories of Amazon Linux' }

/**
 * The notices in `updateinfo.xml` of a repository of Amazon Linux, plain or gzip, which covers packages of every architecture. Notices
 * that are not about security are left out. Refuses (`RefusedData`) what is broken anywhere.
 */
export async function* readUpdateinfo(path: string): AsyncGenerator<RpmAdvisory> {
  for await (const update of xmlElements(inflatedChunks(path, maxBytes), updates)) {
    if (attributeOf(update, 'type') === 'security') yield readUpdate(update)
  }
}

function readUpdate(update: XmlElement): RpmAdvisory {
  const id = childText(update, 'id')
  const place = readAdvisoryId(id)
  if (place === undefined) throw new RefusedData(`expected an ALAS id, found "${id.slice(0, 60)}"`)
  const references = [...elementsBelow(update, 'reference')]
  return checkedAdvisory(
    {
      id,
      platforms: [{ ecosystem: place.ecosystem, fixes: fixesOf(update, place) }],
      title: titleOf(childText(update, 'title')),
      severity: childText(update, 'severity'),
      vectors: [],
      issued: dateOf(update, 'issued'),
      updated: dateOf(update, 'updated'),
      cves: references
        .filter((reference) => attributeOf(reference, 'type') === 'cve')
        .map((reference) => attributeOf(reference, 'id')),
      references: [{ type: 'ADVISORY', url: place.url }],
    },
    /^ALAS/,
  )
}

/** `Amazon Linux 2 2017.12 - ALAS2-2018-942: important priority package update for qemu-kvm` */
function titleOf(title: string): string {
  return title.replace(/^.{0,80}? - ALAS\S{1,60}:\s{0,5}/, '')
}

/** Written without a zone, in UTC: `2023-02-17 20:41`. */
function dateOf(update: XmlElement, name: string): string | null {
  const element = childOf(update, name)
  const [, day, time = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/.exec(
      element === undefined ? '' : attributeOf(element, 'date'),
    ) ?? []
  return day === undefined ? null : `${day}T${time}:00Z`
}

function fixesOf(update: XmlElement, place: AdvisoryId): RpmFix[] {
  const fixes = new Map<string, RpmFix>()
  for (const element of elementsBelow(update, 'package')) {
    const fix = fixOf(element, place)
    if (fix !== undefined) fixes.set(`${fix.name} ${fix.fixed}`, fix)
  }
  return [...fixes.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function fixOf(element: XmlElement, place: AdvisoryId): RpmFix | undefined {
  const [name, version, release] = ['name', 'version', 'release'].map((key) => attributeOf(element, key))
  if (!name || !version || !release) return undefined
  const epoch = attributeOf(element, 'epoch')
  const fixed = foldEpoch(`${version}-${release}`, epoch)
  return { name, fixed, ...lineOf({ name, version, epoch }, place) }
}

/**
 * Repositories of topics (`amazon-linux-extras`) have newer lines of packages that the main one may have as well, and an SBOM does not say from
 * which one a package comes. Where the topic is a line of versions (`KERNEL-5.10`, `GOLANG1.19`), the version tells.
 */
function lineOf(
  { name, version, epoch }: { name: string; version: string; epoch: string },
  { topic }: AdvisoryId,
): Pick<RpmFix, 'from' | 'isOfRepository'> {
  // the name of a live patch contains its kernel
  if (topic === null || name.startsWith('kernel-livepatch-')) return {}
  const line = /\d+(?:\.\d+)*$/.exec(topic)?.[0]
  if (line !== undefined && (version === line || version.startsWith(`${line}.`)))
    return { from: foldEpoch(line, epoch) }
  return { isOfRepository: true }
}
