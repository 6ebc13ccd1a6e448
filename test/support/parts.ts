import { createHash } from 'node:crypto'
import type { Db } from '../../src/database/connection.ts'
import { insertOfIdentities } from '../../src/sbom/components/component-queries.ts'
import type { IdentifiedRow } from '../../src/sbom/components/component-rows.ts'
import { writeIdentities } from '../../src/sbom/components/write-identities.ts'
import { keyGeneration, versionKey, type VersionScheme } from '../../src/versions/ordering.ts'
import { testNow } from './clock.ts'

export const packageKeyOf = (ecosystem: string, name: string) => `${ecosystem}\u001f${name}`

/** A component as records may know it. */
export type Part = {
  ecosystem: string | null
  name: string
  version: string
  scheme: VersionScheme | null
  release?: string | null
  stream?: string
  decidability?: 'covered' | 'not_covered' | 'no_version' | 'uncomparable' | 'release_unknown'
  basis?: 'purl' | 'foreign_purl' | 'cpe' | 'guessed_cpe' | 'name'
  hashes?: string[]
}

export const npm = (name: string, version: string, more: Partial<Part> = {}): Part => ({
  ecosystem: 'npm',
  name,
  version,
  scheme: 'semver',
  ...more,
})

export const maven = (name: string, version: string): Part => ({
  ecosystem: 'Maven',
  name,
  version,
  scheme: 'maven',
})

export const debian = (name: string, version: string, release: string | null): Part => ({
  ecosystem: 'Debian',
  name,
  version,
  scheme: 'dpkg',
  release,
  decidability: release === null ? 'release_unknown' : 'covered',
})

/** Identified only by a CPE of its vendor. */
export const byCpe = (name: string, version: string): Part => ({
  ecosystem: 'cpe',
  name,
  version,
  scheme: 'generic',
  basis: 'cpe',
})

export const rpm = (name: string, version: string, stream: string): Part => ({
  ecosystem: 'Red Hat',
  name,
  version,
  scheme: 'rpm',
  release: '8',
  stream,
})

export async function addIdentity(db: Db, part: Part): Promise<string> {
  const values = {
    id: uuidOf(JSON.stringify(part)),
    ecosystem: part.ecosystem,
    package_key: part.ecosystem === null ? null : packageKeyOf(part.ecosystem, part.name),
    subject: part.name,
    version: part.version,
    release: part.release === undefined ? '' : part.release,
    stream: part.stream ?? '',
    scheme: part.scheme,
    version_key: keyOf(part.scheme, part.version),
    key_generation: keyGeneration,
    decidability: part.decidability ?? 'covered',
    reason: null,
    basis: part.basis ?? 'purl',
    created_at: testNow,
    matched_at: null,
  } as const
  await db
    .insertInto('component_identity')
    .values(values)
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  return values.id
}

/** The same for the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

export function keyOf(scheme: VersionScheme | null, version: string): Buffer | null {
  const key = scheme === null ? null : versionKey(scheme, version)
  return key === null ? null : Buffer.from(key)
}

/** Writes identities as an upload and its job would. */
export async function storeIdentities(db: Db, rows: readonly IdentifiedRow[]): Promise<void> {
  const family = { workspaceId: uuidOf('workspace of nobody'), familyId: uuidOf('family of nobody') }
  await db
    .transaction()
    .execute((tx) =>
      insertOfIdentities(tx, { ...family, sbomId: uuidOf('sbom of nobody') }, { place: 0, rows }).execute(),
    )
  await writeIdentities(db, { ...family, now: testNow })
}
