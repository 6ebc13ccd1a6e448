import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { DomainRow } from '../../contract/people/sign-in.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { newId, randomText } from '../../platform/random.ts'
import { SealError, type SealedPlace } from '../../platform/sealing/envelope.ts'
import type { SealedColumn } from '../../platform/sealing/reseal.ts'
import { lockSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import type { Issuer } from './oidc.ts'
import { companyNameOf } from '../../workspace/company/company-name.ts'
import { lockRole } from '../../workspace/lock-role.ts'
import { lockWorkspace } from '../../workspace/workspaces.ts'

const purpose = 'client secret of single sign-on'

function secretPlace({ workspaceId, id }: { workspaceId: string; id: string }): SealedPlace {
  return { purpose, workspaceId, rowId: id }
}

export const companySealedColumns: readonly SealedColumn[] = [
  {
    table: 'single_sign_on',
    column: 'client_secret_sealed',
    purpose,
    replace: (db, { id, from, to }) =>
      db
        .updateTable('single_sign_on')
        .set({ client_secret_sealed: to })
        .where('id', '=', id)
        .where('client_secret_sealed', '=', from)
        .execute(),
  },
]

/** The issuer of a workspace with its secret; undefined: none is set. Codes: `not_configured` (the key of the secret is missing). */
export async function readIssuer(
  db: Db,
  sealing: Sealing,
  workspaceId: string,
): Promise<(Issuer & { id: string }) | undefined> {
  const row = await db
    .selectFrom('single_sign_on')
    .select(['id', 'issuer', 'client_id', 'client_secret_sealed'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, issuer, client_id: clientId, client_secret_sealed: sealed } = row
  const place = secretPlace({ workspaceId, id })
  return { id, issuer, clientId, clientSecret: sealed === null ? null : openSecret(sealing, place, sealed) }
}

/** Whether an issuer that was read before is still set; then nobody removes it until the transaction ends. */
export async function lockIssuer(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('single_sign_on')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return found !== undefined
}

function openSecret(sealing: Sealing, place: SealedPlace, sealed: Buffer): string {
  try {
    return sealing.open(place, sealed)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new ServiceError('not_configured', {
      message:
        'Nobody can sign in with their company at the moment: the operator has to set the encryption keys. Use your password.',
    })
  }
}

type Act = { workspaceId: string; actor: Actor; now: Date }
type Change = Act & { issuer: string; clientId: string; clientSecret: string | null }

/** Sets the issuer. Accounts of another one are linked again. Codes: `invalid_request`, `not_configured`, `forbidden`. */
export async function setIssuer(db: Db, sealing: Sealing, change: Change): Promise<void> {
  const { workspaceId, clientSecret, now, actor } = change
  const { issuer, clientId } = readForm(change)
  const id = newId(now)
  await transact(db, async (tx) => {
    await lockRole(tx, change, 'manage_sign_in')
    if (clientSecret !== null) await lockSealing(tx, sealing, 'the client secret')
    await lockWorkspace(tx, workspaceId)
    await removeRow(tx, workspaceId)
    const sealed = clientSecret === null ? null : sealing.seal(secretPlace({ workspaceId, id }), clientSecret)
    await tx
      .insertInto('single_sign_on')
      .values({
        id,
        workspace_id: workspaceId,
        issuer,
        client_id: clientId,
        client_secret_sealed: sealed,
        changed_at: now,
      })
      .execute()
    await record(tx, { workspaceId, actor, now }, { issuer, clientId })
  })
}

/** Without it, no member comes in through the issuer, nor is asked to. Codes: `not_found`. */
export async function removeIssuer(db: Db, act: Act): Promise<void> {
  await transact(db, async (tx) => {
    await lockWorkspace(tx, act.workspaceId)
    if (!(await removeRow(tx, act.workspaceId))) throw new ServiceError('not_found')
    await record(tx, act, { issuer: null })
  })
}

async function removeRow(tx: Tx, workspaceId: string): Promise<boolean> {
  const removed = await sql`delete from single_sign_on where workspace_id = ${workspaceId}`.execute(tx)
  await tx.deleteFrom('company_link').where('workspace_id', '=', workspaceId).execute()
  await tx.deleteFrom('session').where('company_workspace_id', '=', workspaceId).execute()
  await tx
    .updateTable('workspace')
    .set({ requires_single_sign_on: false })
    .where('id', '=', workspaceId)
    .execute()
  return removed.numAffectedRows === 1n
}

function readForm({ issuer, clientId, clientSecret }: Change): { issuer: string; clientId: string } {
  const fields: Record<string, string> = {}
  if (!isIssuer(issuer.trim()))
    fields['issuer'] = 'It must be an address that starts with https, without ? and #.'
  if (!/^[\x21-\x7e]{1,300}$/.test(clientId.trim()))
    fields['clientId'] = 'The id that the issuer has given is required.'
  if (clientSecret !== null && !/^[\x20-\x7e]{1,1000}$/.test(clientSecret))
    fields['clientSecret'] = 'Up to 1000 plain characters.'
  if (Object.keys(fields).length > 0) throw new ServiceError('invalid_request', { fields })
  return { issuer: issuer.trim(), clientId: clientId.trim() }
}

/** OpenID Connect Discovery §3: neither query nor fragment. Plain http is left to the guard. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || text.length > 500 || !/^[\x21-\x7e]+$/.test(text)) return false
  return /^https?:$/.test(url.protocol) && [url.search, url.hash, url.username, url.password].every(isEmpty)
}

const isEmpty = (text: string): boolean => text === ''

const maxDomains = 20
const domainForm = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Names a domain; it counts for nothing until its TXT record was seen. Codes: `invalid_request`, `conflict`. */
export async function addDomain(db: Db, { domain, ...act }: Act & { domain: string }): Promise<void> {
  const name = domain.trim().toLowerCase()
  if (!domainForm.test(name)) {
    throw new ServiceError('invalid_request', {
      fields: { domain: 'A domain such as acme.example is required.' },
    })
  }
  const { workspaceId, now } = act
  await transact(db, async (tx) => {
    await lockWorkspace(tx, workspaceId)
    if ((await listDomains(tx, workspaceId)).length >= maxDomains) {
      throw new ServiceError('conflict', { message: `A workspace has ${maxDomains} domains at most.` })
    }
    const proof = `sbom-monitor-domain=${randomText(24)}`
    const row = { workspace_id: workspaceId, domain: name, proof, created_at: now, verified_at: null }
    const added = await tx
      .insertInto('workspace_domain')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows === 1n) await record(tx, act, { domain: name, verified: false })
  })
}

/** Looks for the TXT record. Codes: `not_found`, `conflict` (it is not there). */
export async function verifyDomain(
  { db, outbound }: { db: Db; outbound: Outbound },
  { domain, ...act }: Act & { domain: string },
): Promise<void> {
  const known = (await listDomains(db, act.workspaceId)).find((row) => row.domain === domain)
  if (known === undefined) throw new ServiceError('not_found')
  const { name, value } = known.record
  const texts = await outbound.resolveText(name).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error
    throw new ServiceError('conflict', {
      message: 'The name servers of the domain did not answer. Try again.',
    })
  })
  if (!texts.includes(value)) {
    throw new ServiceError('conflict', {
      message: `There is no TXT record at ${name} with this text so far. New records can take up to an hour to appear.`,
    })
  }
  await markVerified(db, { ...act, domain })
}

/** The domain is the company's: its TXT record was seen, or the operator of the installation knows. Codes: `not_found`, `forbidden`. */
export async function markVerified(db: Db, { domain, ...act }: Act & { domain: string }): Promise<void> {
  await transact(db, async (tx) => {
    // name servers take their time
    if (act.actor.kind === 'person') await lockRole(tx, act, 'manage_sign_in')
    const marked = await sql`
      update workspace_domain set verified_at = coalesce(verified_at, ${act.now})
      where workspace_id = ${act.workspaceId} and domain = ${domain}`.execute(tx)
    if (marked.numAffectedRows !== 1n) throw new ServiceError('not_found')
    await record(tx, act, { domain, verified: true })
  })
}

/** No more accounts are linked by its addresses; those that are linked stay. Codes: `not_found`. */
export async function removeDomain(db: Db, { domain, ...act }: Act & { domain: string }): Promise<void> {
  await transact(db, async (tx) => {
    const removed = await sql`
      delete from workspace_domain where workspace_id = ${act.workspaceId} and domain = ${domain}`.execute(tx)
    if (removed.numAffectedRows !== 1n) throw new ServiceError('not_found')
    await record(tx, act, { domain, removed: true })
  })
}

export async function listDomains(db: Db, workspaceId: string): Promise<DomainRow[]> {
  const rows = await db
    .selectFrom('workspace_domain')
    .select(['domain', 'proof', 'verified_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('domain')
    .execute()
  return rows.map(({ domain, proof, verified_at }) => ({
    domain,
    verifiedAt: verified_at?.toISOString() ?? null,
    record: { name: `_sbom-monitor.${domain}`, value: proof },
  }))
}

async function record(tx: Tx, { workspaceId, actor, now }: Act, after: unknown): Promise<void> {
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action: 'workspace.sign_in_changed',
    object: { kind: 'workspace', id: workspaceId, name: await companyNameOf(tx, workspaceId) },
    after,
  })
}
