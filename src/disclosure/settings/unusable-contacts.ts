import type { UnusableContact } from '../../contract/disclosure/unusable-contact.ts'
import { isEmailAddress } from '../../contract/people/email-address.ts'
import type { Db } from '../../database/connection.ts'

/** The contacts of a workspace that nobody can write to, stored before there was one rule for addresses; that of the company first. */
export async function selectUnusableContacts(db: Db, workspaceId: string): Promise<UnusableContact[]> {
  const { company, disclosure } = await db
    .selectFrom('workspace as w')
    .leftJoin('disclosure_settings as d', 'd.workspace_id', 'w.id')
    .select(['w.security_contact_email as company', 'd.public_contact_email as disclosure'])
    .where('w.id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const contacts: UnusableContact[] = [
    { setting: 'company', address: company },
    ...(disclosure === null ? [] : [{ setting: 'disclosure' as const, address: disclosure }]),
  ]
  return contacts.filter(({ address }) => !isEmailAddress(address))
}
