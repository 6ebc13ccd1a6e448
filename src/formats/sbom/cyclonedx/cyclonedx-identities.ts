import type { JsonObject } from '../../json/object.ts'
import { cleanCpe, cleanPurl, hasCpeShape, hasPurlShape, otherNames } from '../component-fields.ts'
import type { SbomComponent } from '../document.ts'
import type { Hints } from '../hints.ts'

/** Below this confidence a conclusion is only one of several candidates, unless nothing else names the component. */
const minConfidence = 0.5

type Identities = Pick<SbomComponent, 'purl' | 'otherPurls' | 'cpe' | 'concludedCpes'>

/**
 * The package URL and the CPE that a component states, and what tools concluded it to be (`evidence.identity[].concludedValue` since 1.6; Syft's property
 * `syft:cpe23` lists every CPE that it thought of). The component's own statement comes first; conclusions count beside it.
 */
export function readIdentities(entry: JsonObject, hints: Pick<Hints, 'note'>): Identities {
  const stated = cleanPurl(entry.optionalString('purl'))
  const cpe = cleanCpe(entry.optionalString('cpe'))
  const conclusions = readConclusions(entry, { isNamed: stated !== null || cpe !== null })
  const purls = conclusions.purl.filter(hasPurlShape)
  const purl = stated ?? cleanPurl(purls[0])
  const cpes = [...conclusions.cpe, ...readOffered(entry)].filter(hasCpeShape)
  const concludedCpes = otherNames(cpes, { chosen: cpe, clean: cleanCpe }, () =>
    hints.note('cpes_left_out', entry.place),
  )
  return {
    purl,
    otherPurls: otherNames(purls, { chosen: purl, clean: cleanPurl }, () =>
      hints.note('purls_left_out', entry.place),
    ),
    cpe,
    ...(concludedCpes.length === 0 ? {} : { concludedCpes }),
  }
}

/** An object in 1.5, a list since 1.6. A path as a concluded value names nothing. */
function readConclusions(
  entry: JsonObject,
  { isNamed }: { isNamed: boolean },
): { purl: string[]; cpe: string[] } {
  const found = { purl: [] as string[], cpe: [] as string[] }
  const evidence = entry.lenientObject('evidence')
  if (evidence === null) return found
  const single = evidence.lenientObject('identity')
  for (const identity of single === null ? evidence.lenientObjects('identity') : [single]) {
    const field = identity.lenientString('field')
    const value = identity.lenientString('concludedValue')?.trim() ?? ''
    const confidence = identity.get('confidence')
    const isDoubted = typeof confidence === 'number' && confidence < minConfidence
    if ((field === 'purl' || field === 'cpe') && value !== '' && !(isNamed && isDoubted))
      found[field].push(value)
  }
  return found
}

function readOffered(entry: JsonObject): string[] {
  const found: string[] = []
  for (const property of entry.lenientObjects('properties'))
    if (property.lenientString('name') === 'syft:cpe23')
      found.push(property.lenientString('value')?.trim() ?? '')
  return found
}
