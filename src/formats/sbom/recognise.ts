import { ServiceError } from '../../contract/errors.ts'
import { cleanText } from '../json/clean.ts'
import { JsonObject, kindOf } from '../json/object.ts'
import { otherDocument } from './other-documents.ts'
import type { SbomFormat } from '../../contract/sbom/shapes.ts'

/** The accepted values of `specVersion`. */
export const cyclonedxVersions = ['1.4', '1.5', '1.6', '1.7']
const spdxVersions = new Map([
  ['SPDX-2.2', '2.2'],
  ['SPDX-2.3', '2.3'],
])
/** SPDX 3 documents name their version in the address of their JSON-LD context. */
const spdx3Context = /^https:\/\/spdx\.org\/rdf\/(\d{1,2}\.\d{1,2})/
const keysShown = 3

type RecognisedSbom = { format: SbomFormat; specVersion: string; document: JsonObject }

/**
 * Which of the accepted formats a JSON value is in (docs/public-api.md, "Accepted formats").
 * Refuses everything else with `unsupported_format`; `detail` names what was found.
 */
export function recogniseSbom(value: unknown): RecognisedSbom {
  const root = JsonObject.root(value, 'invalid_sbom')
  if (!root) throw unsupported(value === null ? 'JSON null' : kindOf(value).replace(/^an? /, 'a JSON '))
  if (root.get('bomFormat') === 'CycloneDX') return recogniseCyclonedx(root)
  const document = spdxDocument(root)
  return document ? recogniseSpdx(document) : unrecognised(root)
}

function recogniseCyclonedx(document: JsonObject): RecognisedSbom {
  const specVersion = document.lenientString('specVersion')
  if (specVersion === null) throw unsupported(withoutVersion(document, 'CycloneDX', 'specVersion'))
  if (!cyclonedxVersions.includes(specVersion))
    throw unsupported(versionFound(specVersion, 'CycloneDX', 'specVersion'))
  return { format: 'cyclonedx', specVersion, document }
}

/** SPDX 2.2 as first published wraps everything in a `Document` key; from 2.2.1 on the document is flat. */
function spdxDocument(root: JsonObject): JsonObject | null {
  if (root.get('spdxVersion') !== undefined) return root
  const wrapped = root.lenientObject('Document')
  return wrapped?.get('spdxVersion') === undefined ? null : wrapped
}

function recogniseSpdx(document: JsonObject): RecognisedSbom {
  const spdxVersion = document.lenientString('spdxVersion')
  if (spdxVersion === null) throw unsupported(withoutVersion(document, 'SPDX', 'spdxVersion'))
  const specVersion = spdxVersions.get(spdxVersion)
  if (specVersion === undefined) throw unsupported(versionFound(spdxVersion, 'SPDX', 'spdxVersion'))
  return { format: 'spdx', specVersion, document }
}

function unrecognised(root: JsonObject): never {
  if (contextsOf(root).some((context) => context.startsWith('https://openvex.dev/')))
    throw unsupported('an OpenVEX document')
  if (root.lenientObject('document')?.get('csaf_version') !== undefined) throw unsupported('a CSAF document')
  // As GitHub's REST API answers "Export a software bill of materials".
  const wrapped = root.lenientObject('sbom')?.lenientString('spdxVersion') ?? null
  if (wrapped !== null) throw unsupported(`${cleanText(wrapped, 20)} inside of "sbom"`)
  throw unsupported(describeOther(root))
}

/** A JSON-LD context is an address, or a list of addresses and terms (JSON-LD 1.1, 3.1). */
function contextsOf(root: JsonObject): string[] {
  return [root.get('@context')].flat().filter((context) => typeof context === 'string')
}

const payloadTypeShown = 60

/** The name of a format that is not supported, where we know it; otherwise its keys. */
export function describeOther(root: JsonObject): string {
  for (const context of contextsOf(root)) {
    const [, spdxVersion] = spdx3Context.exec(context) ?? []
    if (spdxVersion !== undefined) return `SPDX-${spdxVersion}`
  }
  // CycloneDX 2.0 has `specFormat` where the versions before have `bomFormat`.
  if (root.get('specFormat') === 'CycloneDX') {
    const specVersion = root.lenientString('specVersion')
    return specVersion === null
      ? withoutVersion(root, 'CycloneDX', 'specVersion')
      : `${versionFound(specVersion, 'CycloneDX', 'specVersion')}, which is not read yet`
  }
  const payloadType = root.lenientString('payloadType')
  if (payloadType !== null && root.get('payload') !== undefined) {
    return `a DSSE envelope of ${wordFound(payloadType, payloadTypeShown)}; send the document that is signed in it`
  }
  if (root.lenientObject('dsseEnvelope')) {
    return 'a Sigstore bundle with a DSSE envelope; send the document that is signed in it'
  }
  if (root.lenientString('_type')?.startsWith('https://in-toto.io/') === true) return 'an in-toto attestation'
  return otherDocument(root) ?? describeKeys(root.keys())
}

/** A document that is recognised, but has no text where its version should be. */
export function withoutVersion(document: JsonObject, format: string, key: string): string {
  const found = document.get(key) ?? null
  return found === null ? `${format} without a ${key}` : `${format} with ${kindOf(found)} as its ${key}`
}

/** A version that is not accepted. SPDX names itself in its versions. */
export function versionFound(version: string, format: 'CycloneDX' | 'SPDX', key: string): string {
  const word = wordFound(version, 20)
  if (word.startsWith('"')) return `${format} with ${word} as its ${key}`
  return format === 'SPDX' ? word : `${format} ${word}`
}

/** A word that is not accepted; quoted as written where it would look like an accepted one, or like none. */
export function wordFound(word: string, longest: number): string {
  const clean = cleanText(word, longest)
  const isPlain = clean !== '' && word.startsWith(clean) && !/^"|[\s\p{Cc}\p{Cs}]$/u.test(word)
  return isPlain ? clean : JSON.stringify(word.slice(0, longest))
}

/** What an unknown JSON object is called in a refusal: by its first keys. */
function describeKeys(keys: readonly string[]): string {
  if (keys.length === 0) return 'an empty JSON object'
  const shown = keys.slice(0, keysShown).map((key) => `"${cleanText(key, 40)}"`)
  return `a JSON object with ${shown.join(', ')}${keys.length > keysShown ? ', …' : ''}`
}

function unsupported(found: string): ServiceError {
  return new ServiceError('unsupported_format', { detail: found })
}
