import { contentChunks } from '../../source-files/bzip2/content-chunks.ts'
import { checkedAdvisory, type RpmAdvisory } from '../rpm-advisories/advisory.ts'
import {
  attributeOf,
  childOf,
  childText,
  elementsBelow,
  xmlElements,
  type XmlElement,
} from '../../source-files/xml-elements.ts'
import { platformsOf } from './read-criteria.ts'

/** About ten times what is published. */
const maxBytes = 3 * 1024 ** 3

const definitions = {
  root: 'oval_definitions',
  element: 'definition',
  title: 'advisories of Oracle Linux',
}

/**
 * The notices in an OVAL file of Oracle (`com.oracle.elsa-all.xml.bz2`, or that of a release or year), plain, gzip or bzip2. The comments of the
 * criteria say what the tests check, and every reader uses them. Refuses (`RefusedData`) what is broken anywhere.
 */
export async function* readOval(path: string): AsyncGenerator<RpmAdvisory> {
  for await (const definition of xmlElements(contentChunks(path, maxBytes), definitions)) {
    if (attributeOf(definition, 'class') === 'patch') yield readDefinition(definition)
  }
}

function readDefinition(definition: XmlElement): RpmAdvisory {
  const metadata = childOf(definition, 'metadata') ?? definition
  const advisory = childOf(metadata, 'advisory') ?? metadata
  const [, inTitle = '', title = ''] = /^(\S{1,100}?):\s*(.*)$/s.exec(childText(metadata, 'title')) ?? []
  const references = [...elementsBelow(metadata, 'reference')]
  const own = references.find((reference) => attributeOf(reference, 'source') === 'elsa')
  const cves = advisory.children.filter(({ name }) => name === 'cve')
  const issued = childOf(advisory, 'issued')
  return checkedAdvisory(
    {
      id: own === undefined ? inTitle : attributeOf(own, 'ref_id'),
      platforms: platformsOf(definition),
      title: title.replace(/\s*\([A-Z/]{1,20}\)\s*$/, '').trim(),
      severity: childText(advisory, 'severity'),
      vectors: cves.flatMap(vectorOf),
      issued: issued === undefined ? null : attributeOf(issued, 'date') || null,
      updated: null,
      cves: [
        ...cves.map(({ text }) => text.trim()),
        ...references
          .filter((reference) => attributeOf(reference, 'source') === 'CVE')
          .map((reference) => attributeOf(reference, 'ref_id')),
      ],
      references: own === undefined ? [] : [{ type: 'ADVISORY', url: attributeOf(own, 'ref_url') }],
    },
    /^EL[BES]A-\d{4}-\d{1,8}(?:-\d{1,4})?$/,
  )
}

/** `8.1/CVSS:3.0/AV:N/AC:H/…`, of version 2 `1.2/AV:L/…`: the score, then the vector. */
function vectorOf(cve: XmlElement): string[] {
  const stated = attributeOf(cve, 'cvss3') || attributeOf(cve, 'cvss2')
  const vector = stated.slice(stated.indexOf('/') + 1)
  return vector.includes(':') && vector.length <= 400 ? [vector] : []
}
