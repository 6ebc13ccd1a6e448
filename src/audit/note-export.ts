import { sql } from 'kysely'
import type { AuditAction, AuditObjectKind } from '../contract/audit/shapes.ts'
import type { Db } from '../database/connection.ts'
import { insertOfAct, type Actor } from './record-acts.ts'

type Exported = {
  workspaceId: string
  actor: Actor
  now: Date
  action: Extract<AuditAction, `${string}.exported`>
  object: { kind: AuditObjectKind; id: string; name?: string }
  /** The filters in force and the format; undefined ones are left out. */
  asked: Readonly<Record<string, string | number | undefined>>
}

/** That somebody was given a list as a file, and which part of it, in the audit trail. Returns the number of the record. */
export async function noteExport(db: Db, { asked, now: at, ...act }: Exported): Promise<number> {
  const { id } = await insertOfAct(db, { ...act, at, after: asked }, sql`null`)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
