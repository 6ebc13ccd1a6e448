import type { Tx } from '../../database/connection.ts'

/** What the audit trail calls a workspace whose settings change: the name of the company at that moment. */
export async function companyNameOf(tx: Tx, workspaceId: string): Promise<string> {
  const { company_name: name } = await tx
    .selectFrom('workspace')
    .select('company_name')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return name
}
