import { sql } from 'kysely'
import { reportLimits } from '../../../src/contract/disclosure/shapes.ts'
import { newId } from '../../../src/platform/random.ts'
import {
  described,
  openDisclosureScene,
  stampIn,
  type DisclosureScene,
} from '../../disclosure/disclosure-scene.ts'
import type { TestDatabase } from '../../support/database.ts'
import type { Outcome } from './outcome.ts'

type Options = {
  /** Number of reports sent by a bot. */
  reports: number
  /** Size of the one file in each. */
  fileBytes: number
}

/**
 * Bots send reports with files until nothing more is accepted: those that fill in the honeypot keep no file; once the file quota is used
 * up, senders of files read where to write instead, and their text is accepted. Drops the database at the end.
 */
export async function runFullSpam(database: TestDatabase, { reports, fileBytes }: Options): Promise<Outcome> {
  const scene = await openDisclosureScene({ database })
  try {
    const failures: string[] = []
    const before = await databaseBytes(scene)
    const file = { name: 'proof.bin', bytes: Buffer.alloc(fileBytes, 'x') }
    for (let sent = 0; sent < reports; sent += 1) {
      // outside the hourly limits
      if (sent % 15 === 0) scene.wait(3_600_000)
      const { status } = await send(scene, {
        fields: { website: 'https://spam.example', title: `Buy ${sent}` },
        file,
      })
      if (status !== 303) failures.push(`a report with the trap filled was answered ${status}`)
    }
    const grownMB = ((await databaseBytes(scene)) - before) / 1024 ** 2
    const kept = await keptBytes(scene)
    await useUp(scene)
    scene.wait(3_600_000)
    const refused = await send(scene, { fields: { title: 'With a file' }, file })
    if (!refused.body.includes('security@acme.example')) failures.push('the refusal names no contact')
    if (!refused.body.includes('With a file')) failures.push('the refusal lost what was typed')
    const taken = await send(scene, { fields: { title: 'With a file' }, file: null })
    const others = await scene.report('umbrella', {}, [file])
    return {
      figures: {
        spam: reports,
        keptBytes: kept,
        grownMB,
        fileRefused: Number(refused.status === 413),
        wordsTaken: Number(taken.status === 303),
        othersTaken: Number(others.status === 303),
      },
      failures,
    }
  } finally {
    await scene.close()
  }
}

type Sent = { fields: Record<string, string>; file: { name: string; bytes: Buffer } | null }

async function send(scene: DisclosureScene, { fields, file }: Sent) {
  const stamp = stampIn(await scene.get('/disclose/acme'))
  scene.wait(60_000)
  const words = { stamp, ...described, ...fields }
  return scene.post('/disclose/acme', { fields: words, files: file === null ? [] : [file] })
}

async function databaseBytes({ database }: DisclosureScene): Promise<number> {
  const { rows } = await sql<{ size: string }>`select pg_database_size(current_database()) as size`.execute(
    database.db,
  )
  return Number(rows[0]?.size)
}

async function keptBytes({ database, acme }: DisclosureScene): Promise<number> {
  const { rows } = await sql<{ kept: string }>`
    select coalesce(sum(size_bytes), 0) as kept from inbox_attachment where workspace_id = ${acme.id}`.execute(
    database.db,
  )
  return Number(rows[0]?.kept)
}

/** As if files of other reports had used up the quota. */
async function useUp({ database: { db }, acme, clock }: DisclosureScene): Promise<void> {
  const { id } = await db
    .selectFrom('inbox_report')
    .select('id')
    .where('workspace_id', '=', acme.id)
    .limit(1)
    .executeTakeFirstOrThrow()
  const content = Buffer.from('x')
  await db
    .insertInto('inbox_attachment')
    .values({
      id: newId(clock.now),
      workspace_id: acme.id,
      report_id: id,
      size_bytes: reportLimits.workspaceBytes,
      name_sealed: content,
      content_sealed: content,
    })
    .execute()
}
