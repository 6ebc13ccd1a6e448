import { sql } from 'kysely'
import type { AdvisoryContent, AdvisoryProblem } from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { creditsIn, namesIn, publicCredits, reportsOf } from '../../advisories/drafts/credits.ts'
import { creditedNames } from '../credited-names.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'

type Asked = { workspaceId: string; advisoryId: string; sealing: Sealing }

/**
 * Refuses to publish a draft that names a reporter without consent. Called in the transaction that publishes: a later withdrawal of consent
 * waits until the name is published, so that nobody is promised otherwise before. Codes: `invalid_request`.
 */
export async function refuseWithdrawnCredits(tx: Tx, asked: Asked, content: AdvisoryContent): Promise<void> {
  await sql`
    select from inbox_report where workspace_id = ${asked.workspaceId} and id in (${reportsOf(asked)})
    order by id for share`.execute(tx)
  const problems = await withdrawnCredits(tx, asked, content)
  if (problems.length === 0) return
  const fields = Object.fromEntries(problems.map(({ field, message }) => [field, message]))
  throw new ServiceError('invalid_request', { message: 'The advisory cannot be published as it is.', fields })
}

/**
 * Credits of an advisory whose reporters have not agreed to be named, or no longer do: consent can be withdrawn until publication, and a draft
 * keeps the name it was begun with. Names that everybody can read already stay.
 */
export async function withdrawnCredits(
  db: Db,
  asked: Asked,
  content: AdvisoryContent,
): Promise<(AdvisoryProblem & { field: string })[]> {
  const credits = creditsIn(content)
  if (credits.length === 0) return []
  const [refusing, published] = [await selectRefusing(db, asked), await publicCredits(db, asked)]
  return credits.flatMap(({ field, ...credit }) => {
    const given = namesIn(credit)
    const report = refusing.find((one) =>
      given.some((name) => one.names.includes(name) && !published.has(name)),
    )
    if (report === undefined) return []
    const message = `Whoever sent report #${report.number} has not agreed to be named, or no longer does.`
    return [{ field, message, test: null, pointer: null }]
  })
}

/** The reports that an advisory is about and whose senders do not agree, with the names they may be credited under. */
async function selectRefusing(db: Db, { sealing, ...asked }: Asked) {
  const { workspaceId } = asked
  const { rows } = await sql<{ id: string; number: number; sealed: Buffer | null }>`
    select id, number, text_sealed as sealed from inbox_report
    where workspace_id = ${workspaceId} and id in (${reportsOf(asked)}) and not credit_consent
    order by number`.execute(db)
  return rows.map(({ id, number, sealed }) => ({
    number,
    names: creditedNames(sealing, { workspaceId, id }, sealed),
  }))
}
