import { createHash } from 'node:crypto'
import { digestOf, digestsOfIntegrity } from '../../formats/digest.ts'
import { fieldOf, listField, listOf } from '../../source-files/fields.ts'

/**
 * Digests by which a package counts as the one that a record names. MD5 is not among them: two packages with one MD5 are made within seconds, so
 * whoever published the malicious one could have a harmless one be taken for it. SHA-1 is: it is all that older lock files of npm have (`shasum`), and
 * a second package that has the digest of one that is there already cannot be made.
 */
const compared: ReadonlySet<string> = new Set(['sha1', 'sha256', 'sha384', 'sha512', 'blake2b256'])

/** Far above every real record: a package has some files (wheels, source), each with up to five digests. */
const maxFiles = 200
const maxDigests = 500
const maxLength = 1_000

/** Of nothing at all: a record that could not read its package would name every empty file. */
const ofNothing: ReadonlySet<string> = new Set(
  ['sha1', 'sha256', 'sha384', 'sha512'].map((name) => `${name}:${createHash(name).digest('hex')}`),
)

/**
 * The digests of packages that the records of the malicious-packages database state (`affected[].database_specific.indicators.package_integrity`), as
 * `sha512:…`, each once. `evidence_files` beside them are files inside the package, and are not read.
 */
export function digestsOf(affected: readonly unknown[]): string[] {
  const found = new Set<string>()
  for (const digest of affected.flatMap(packageDigests)) if (found.size < maxDigests) found.add(digest)
  return [...found]
}

/** Those of one entry of `affected`. */
export function packageDigests(entry: unknown): string[] {
  const indicators = fieldOf(fieldOf(entry, 'database_specific'), 'indicators')
  return listField(indicators, 'package_integrity')
    .slice(0, maxFiles)
    .flatMap((file) => digestsOfFile(fieldOf(file, 'hashes')))
}

/** `sha512` beside `sha512_sri`; a value may be a list. */
function digestsOfFile(hashes: unknown): string[] {
  if (typeof hashes !== 'object' || hashes === null || Array.isArray(hashes)) return []
  return Object.keys(hashes)
    .slice(0, maxFiles)
    .flatMap((name) => {
      const value = fieldOf(hashes, name)
      return [value, ...listOf(value).slice(0, maxFiles)].flatMap((text) => readValue(name, text))
    })
    .filter((digest) => compared.has(digest.slice(0, digest.indexOf(':'))) && !ofNothing.has(digest))
}

function readValue(name: string, value: unknown): string[] {
  if (typeof value !== 'string' || value.length > maxLength) return []
  const text = value.trim()
  const digest = digestOf(name.replace(/_(?:sri|hex|base64)$/i, ''), text)
  return digest === null ? digestsOfIntegrity(text) : [digest]
}
