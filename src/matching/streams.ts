import { sql, type RawBuilder } from 'kysely'
import { unknownModule } from '../formats/identity/streams.ts'

type Streams = { range: RawBuilder<unknown>; identity: RawBuilder<unknown>; scheme: RawBuilder<unknown> }

/**
 * Whether a range speaks of the line of fixes that an identity belongs to: the same one; of products named by CPE also where one of
 * the two does not say what the product runs in; and of a module whose erratum names no stream, any stream.
 */
export function streamsMeet({ range, identity, scheme }: Streams): RawBuilder<boolean> {
  return sql<boolean>`(${range} = ${identity}
    or (${scheme} = 'generic' and '' in (${range}, ${identity}))
    or (${range} = ${sql.lit(unknownModule)} and strpos(${identity}, ':') > 0))`
}

/** The reason of the grade where the streams meet without being the same; null where that leaves no doubt. */
export function streamDoubt({ range, identity, scheme }: Streams): RawBuilder<string | null> {
  return sql<string | null>`case
    when ${range} = ${identity} or ${range} = '' then null
    when ${scheme} = 'generic' then 'target'
    else 'module_unknown'
  end`
}
