import { sql } from 'kysely'

/** The source whose data decide about a component identity `i`: `osv:npm`; `nvd` for products named by CPE. */
export const sourceOfIdentity = sql<string>`case i.ecosystem when 'cpe' then 'nvd' else 'osv:' || i.ecosystem end`
