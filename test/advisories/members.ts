import type { Db } from '../../src/database/connection.ts'
import { newId } from '../../src/platform/random.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'

const password = 'a long enough password'

/** A lead and an editor of a workspace; they share the owner's password. */
export async function createCompanyMembers(
  db: Db,
  http: { url: string },
  workspaceId: string,
): Promise<Record<'lead' | 'editor', AppSession>> {
  const lead = await createMember(db, { workspaceId, role: 'lead' })
  const editor = await createMember(db, { workspaceId, role: 'editor' })
  return { lead: await AppSession.signIn(http.url, lead), editor: await AppSession.signIn(http.url, editor) }
}

async function createMember(
  db: Db,
  { workspaceId, role }: { workspaceId: string; role: 'lead' | 'editor' },
): Promise<{ email: string; password: string }> {
  const { password_hash: hash } = await db
    .selectFrom('person as p')
    .innerJoin('member as m', 'm.person_id', 'p.id')
    .select('p.password_hash')
    .where('m.workspace_id', '=', workspaceId)
    .where('m.role', '=', 'owner')
    .executeTakeFirstOrThrow()
  const id = newId(testNow)
  const email = `${role}@acme.example`
  await db
    .insertInto('person')
    .values({ id, email, name: `${role} of acme`, password_hash: hash, created_at: testNow })
    .execute()
  await db
    .insertInto('member')
    .values({ workspace_id: workspaceId, person_id: id, role, created_at: testNow, removed_at: null })
    .execute()
  return { email, password }
}
