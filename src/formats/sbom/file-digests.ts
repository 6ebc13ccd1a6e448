import { digestOf } from '../digest.ts'
import type { JsonObject } from '../json/object.ts'
import { parsePurl } from '../purl/purl.ts'
import type { SbomComponent } from './document.ts'
import { readHashes } from './component-fields.ts'
import type { Hints } from './hints.ts'

/** A package of PyPI has up to a hundred wheels, each with a digest or two. */
const maxDigests = 200
/** Far above the longest digest. */
const maxDigestCharacters = 300

/** References to the files that a component is published as (CycloneDX 1.7 `externalReferences[].type`); others are to documents about it. */
const toItsFiles = new Set(['distribution', 'distribution-intake', 'source-distribution'])

/** The hashes of the files that `externalReferences` of a component lead to: cyclonedx-npm has the digest of the tarball there, and nowhere else. */
export function referencedDigests(entry: JsonObject, hints: Hints): string[] {
  const digests: string[] = []
  for (const reference of entry.lenientObjects('externalReferences')) {
    if (digests.length >= maxDigests) break
    if (!toItsFiles.has(reference.lenientString('type') ?? '')) continue
    const hashes = reference.lenientObjects('hashes')
    digests.push(...readHashes(hashes, { algorithm: 'alg', value: 'content' }, hints))
  }
  return digests
}

/**
 * Digests of the files that a component was had as, beyond its hashes: `others`, which were read elsewhere or after the first hashes, and
 * those of its package URLs (`checksum=sha1:…,sha256:…`); each once.
 */
export function fileDigestsOf(
  { purl, otherPurls, hashes }: Pick<SbomComponent, 'purl' | 'otherPurls' | 'hashes'>,
  others: readonly string[],
): string[] {
  const ofPurls = [...digestsOfPurl(purl), ...otherPurls.flatMap(digestsOfPurl)]
  if (others.length === 0 && ofPurls.length === 0) return []
  const digests = new Set([...others, ...ofPurls])
  for (const hash of hashes) digests.delete(hash)
  return [...digests].slice(0, maxDigests)
}

const hasChecksum = /[?&]checksum=/i

function digestsOfPurl(purl: string | null): string[] {
  if (purl === null || !hasChecksum.test(purl)) return []
  const checksums = parsePurl(purl)?.qualifiers.get('checksum') ?? ''
  return checksums.split(',').flatMap((checksum) => {
    const colon = checksum.indexOf(':')
    const [algorithm, value] = [checksum.slice(0, Math.max(colon, 0)), checksum.slice(colon + 1)]
    return value.length > maxDigestCharacters ? [] : (digestOf(algorithm.trim(), value.trim()) ?? [])
  })
}
