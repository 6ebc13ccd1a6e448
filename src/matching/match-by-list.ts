import { sql } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { affectedPackage } from '../identities/affected-package.ts'
import { inParts } from '../vulndata/deciders.ts'
import { readRecord } from '../records/osv/read-record.ts'
import { keysOfIdentities } from './identity-keys.ts'
import type { FoundMatch } from './write-matches.ts'

type Candidate = {
  identity_id: string
  number: number
  vulnerability_id: number
  range_id: number
  package_key: string
  version: string
  is_listed: boolean
}

/** Documents are read a few at a time: some records are megabytes long. */
const documentsPerRead = 20

/**
 * Matches identities whose distribution release is unknown: no range may answer, because the same version is fixed in one
 * release and open in another; only a record that lists this very version can.
 */
export async function matchByList(tx: Tx, identityIds: readonly string[]): Promise<FoundMatch[]> {
  if (identityIds.length === 0) return []
  const candidates = await selectCandidates(tx, identityIds)
  const matches = candidates.filter((candidate) => candidate.is_listed)
  const open = candidates.filter((candidate) => !candidate.is_listed)
  const byRecord = Map.groupBy(open, (candidate) => candidate.vulnerability_id)
  const recordIds = [...byRecord.keys()].sort((a, b) => a - b)
  for (let start = 0; start < recordIds.length; start += documentsPerRead) {
    const slice = recordIds.slice(start, start + documentsPerRead)
    for (const document of await selectDocuments(tx, slice)) {
      const listed = listedVersions(document)
      matches.push(
        ...(byRecord.get(document.id) ?? []).filter(
          (candidate) => listed.get(candidate.package_key)?.has(candidate.version) === true,
        ),
      )
    }
  }
  return matches.map((match) => ({
    identityId: match.identity_id,
    keyNumber: match.number,
    vulnerabilityId: match.vulnerability_id,
    rangeId: match.range_id,
    // graded by the unknown release
    doubt: null,
  }))
}

/** The versions that a stored record lists, by package key. */
function listedVersions({ record_id, document }: StoredDocument): Map<string, Set<string>> {
  const listed = new Map<string, Set<string>>()
  for (const { ecosystem, name, versions } of readRecord(JSON.parse(document), record_id).affected) {
    const packageKey = affectedPackage(ecosystem, name)?.packageKey
    if (packageKey === undefined) continue
    listed.set(packageKey, new Set([...(listed.get(packageKey) ?? []), ...versions]))
  }
  return listed
}

/**
 * Records on the identity's package, of any release, that may list its version; `is_listed` when a stored list says so already.
 * Looking in the text for a string that begins like the version spares reading thousands of documents on one package; the
 * beginning has only characters that JSON writes in one way. Records of OSV alone have such lists.
 */
async function selectCandidates(tx: Tx, identityIds: readonly string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select i.id as identity_id, i.number, r.vulnerability_id, i.package_key, i.version,
      coalesce(min(r.id) filter (where r.kind = 'listed' and r.introduced = i.version), min(r.id)) as range_id,
      bool_or(r.kind = 'listed' and r.introduced = i.version) as is_listed
    from (${keysOfIdentities(identityIds)}) i
    join affected_range r on r.package_key = i.package_key and r.stream = i.stream
    join vulnerability v on v.id = r.vulnerability_id and v.withdrawn_at is null
    where i.decidability = 'release_unknown'
    group by i.id, i.number, i.package_key, i.version, r.vulnerability_id, v.id
    having bool_or(r.kind = 'listed' and r.introduced = i.version)
      or (starts_with(v.source, ${inParts.id}) and strpos(v.document, '"' || substring(i.version from '^[A-Za-z0-9.~:_-]*')) > 0)`.execute(
    tx,
  )
  return rows
}

type StoredDocument = { id: number; record_id: string; document: string }

async function selectDocuments(tx: Tx, ids: readonly number[]): Promise<StoredDocument[]> {
  return tx
    .selectFrom('vulnerability')
    .select(['id', 'record_id', 'document'])
    .where('id', 'in', ids)
    .execute()
}
