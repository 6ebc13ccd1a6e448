import { sql } from 'kysely'
import type { SourceRow } from '../../contract/sources/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { osvEcosystems } from '../../identities/ecosystems.ts'
import { sourceName } from '../../records/ecosystem-source.ts'
import {
  briefOf,
  failureOf,
  listSourceStates,
  untriedSource,
  stateOf,
  isSwitchedOff,
  type SourceWithState,
} from '../source-states.ts'

/**
 * The sources that decide about a workspace's components, with their states. Of a source in parts only the parts that its active SBOMs
 * need: neither other parts nor the row of the whole source, whose error names them.
 */
export async function listWorkspaceSources(
  db: Db,
  { workspaceId, switchedOff }: { workspaceId: string; switchedOff: readonly string[] },
): Promise<SourceRow[]> {
  const own = new Set((await selectOwnEcosystems(db, workspaceId)).map(sourceName))
  const stored = await listSourceStates(db, switchedOff)
  const shown = stored.filter(({ name }) => {
    const { hasParts, isPart } = briefOf(name)
    return isPart ? own.has(name) : !hasParts
  })
  const isStored = new Set(shown.map(({ name }) => name))
  const untried = [...own]
    .filter((name) => !isStored.has(name))
    .map((name) => ({ ...untriedSource, name }))
    .map((source) => ({
      ...source,
      state: stateOf(source, { isOff: isSwitchedOff(switchedOff, source.name) }),
    }))
  return [...shown, ...untried].map(toRow).sort((a, b) => a.label.localeCompare(b.label, 'en'))
}

function toRow(source: SourceWithState): SourceRow {
  const { name, state, lastOutcome } = source
  const { label, brings } = briefOf(name)
  const failure = state === 'failing' ? failureOf(source) : null
  return {
    name,
    label,
    brings,
    state,
    records: source.recordCount,
    lastSuccessAt: source.lastSuccessAt?.toISOString() ?? null,
    lastAttemptAt: source.lastAttemptAt?.toISOString() ?? null,
    lastOutcome,
    lastError: failure?.error ?? null,
    failingSince: failure?.since?.toISOString() ?? null,
  }
}

/** Of the active SBOMs that were looked through. */
async function selectOwnEcosystems(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ ecosystem: string }>`
    select distinct i.ecosystem
    from sbom s
    join sbom_inventory v on v.sbom_id = s.id
    cross join jsonb_to_recordset(v.coverage) as i (ecosystem text)
    where s.workspace_id = ${workspaceId} and s.active and i.ecosystem = any(${sql.val([...osvEcosystems])}::text[])`.execute(
    db,
  )
  return rows.map(({ ecosystem }) => ecosystem)
}
