import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'

/**
 * Removes groups that merging has left empty, once no finding refers to them. A finding that is being written for such a
 * group is moved later: the job that moves findings waits for its writer.
 */
export async function deleteEmptyGroups(db: Db): Promise<void> {
  await sql`
    delete from vulnerability_group g
    where not exists (select from vulnerability v where v.group_id = g.id)
      and not exists (select from finding f where f.group_id = g.id)`.execute(db)
}
