import { sql, type RawBuilder } from 'kysely'

/**
 * The name under which something was sent, as people tell its senders apart: of a token whose family has another one with the same name, with
 * its first characters. `table` has `token_id`; `name` is what it keeps as the sender's name.
 */
export function senderToldApart(table: string, name: string): RawBuilder<string> {
  const kept = sql.ref(`${table}.${name}`)
  return sql<string>`coalesce((
    select ${kept} || ' (' || t.prefix || '…)'
    from token t
    where t.id = ${sql.ref(`${table}.token_id`)} and exists (
      select from token o
      where o.workspace_id = t.workspace_id and o.name = t.name and o.id <> t.id
        and o.family_id is not distinct from t.family_id
    )
  ), ${kept})`
}
