import { randomUUID } from 'node:crypto'
import type { Catalogue } from '../../src/contract/findings/shapes.ts'
import type { Severity } from '../../src/contract/severities.ts'
import type { Verdict } from '../../src/contract/vex/shapes.ts'
import type { Db } from '../../src/database/connection.ts'
import { addRecord } from '../support/records.ts'
import { addIdentity, npm } from '../support/parts.ts'
import type { Family } from '../support/rows.ts'

/** A day in January 2026, at noon by default. */
export const day = (of: number, hour = 12): Date => new Date(Date.UTC(2026, 0, of, hour))

type History = {
  severity?: Severity
  seen: Date
  closed?: Date
  versionId?: string
  exploitedBy?: Catalogue[]
  /** In force now. */
  verdict?: { is: Verdict; since: Date }
  /** null: decided under an earlier release, which did not record it. */
  firstVerdict?: Date | null
  /** Alternating times of declaration and of its end. */
  turns?: readonly Date[]
}

let count = 0

/** Writes a finding with its history as the service would have, without uploads. */
export async function addHistory(db: Db, family: Family, history: History): Promise<string> {
  const { severity = 'high', seen, closed, verdict, turns = [] } = history
  count += 1
  const name = `lib-${count}`
  const vulnerabilityId = await addRecord(db, {
    id: `CVE-2026-${1000 + count}`,
    affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '9.0.0']] }],
    severity,
  })
  const { group_id: groupId } = await db
    .selectFrom('vulnerability')
    .select('group_id')
    .where('id', '=', vulnerabilityId)
    .executeTakeFirstOrThrow()
  const id = randomUUID()
  await db
    .insertInto('finding')
    .values({
      id,
      workspace_id: family.workspaceId,
      family_id: family.familyId,
      version_id: history.versionId ?? null,
      identity_id: await addIdentity(db, npm(name, '1.0.0')),
      group_id: groupId,
      grade: 'exact',
      exploited_by: history.exploitedBy ?? [],
      first_seen_at: seen,
      closed_at: closed ?? null,
      verdict: verdict?.is ?? null,
      verdict_since: verdict?.since ?? null,
      verdict_decision_id: verdict === undefined ? null : randomUUID(),
      first_verdict_at: history.firstVerdict ?? null,
    })
    .execute()
  for (const [place, at] of turns.entries()) {
    await db
      .insertInto('finding_turn')
      .values({ finding_id: id, at, is_settled: place % 2 === 0, family_id: family.familyId })
      .execute()
  }
  return id
}
