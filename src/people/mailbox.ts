import { domainToASCII } from 'node:url'
import { sql } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'

/** Lets only one transaction at a time decide which account an e-mail address belongs to. */
export async function lockMailbox(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('mailbox ' || lower(${email.trim()})))`.execute(tx)
}

/** The account with an e-mail address, however it is written. */
export async function findPersonByEmail(
  db: Db,
  email: string,
): Promise<{ id: string; name: string; email: string } | undefined> {
  return withEmail(db, email).executeTakeFirst()
}

/** The same, whose address stays this one until the transaction ends. */
export async function lockPersonByEmail(tx: Tx, email: string): ReturnType<typeof findPersonByEmail> {
  return withEmail(tx, email).forShare().executeTakeFirst()
}

function withEmail(db: Db, email: string) {
  return db
    .selectFrom('person')
    .select(['id', 'name', 'email'])
    .where(sql<boolean>`lower(email) = lower(${email.trim()})`)
}

export function isSameMailbox(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

/** Codes: `conflict` when a link was sent to another address than that of the person who is signed in. */
export function refuseOtherMailbox(person: { email: string }, recipient: string): void {
  if (isSameMailbox(person.email, recipient)) return
  throw new ServiceError('conflict', {
    message: `This link was sent to ${recipient}, and you are signed in with another address. Sign out first.`,
  })
}

/**
 * The mailbox that mail to an address arrives in, for limits: many spellings reach the same person. Without capitals, what follows a `+` (RFC
 * 5233), and the dots that some providers overlook; the domain as it is asked for in the DNS.
 */
export function deliveredTo(email: string): string {
  const address = email.trim().normalize('NFKC').toLowerCase()
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  const [mailbox = ''] = local.replaceAll('.', '').split('+', 1)
  // an address that begins with a plus is one of its own
  return `${mailbox === '' ? local : mailbox}@${domainToASCII(domain) || domain}`
}
