import type pg from 'pg'

/** What a workspace that is used holds, in the order of its size; what is known of packages is shared by all of them. */
const tables = [
  ...[
    'workspace',
    'person',
    'member',
    'family',
    'product_version',
    'token',
    'sbom',
    'sbom_inventory',
    'finding',
  ],
  ...['component_search', 'component_text', 'component', 'component_hash', 'component_name'],
]
/** These ids are of what is shared, or of nothing that is copied. */
const shared = new Set(['identity_id', 'hash'])
const atOnce = 10

type Clone = {
  workspaceId: string
  personId: string
  slug: string
  copies: number
  /** The first copy's number, where some are there: 1. */
  from?: number
}

/**
 * Copies a workspace with its owner and all that it has: the copy number n has the slug `<slug>-<n>` and the owner `<n>.<e-mail>`. Its ids
 * follow from those of the original, so that no table has to know another one. Triggers and foreign keys are not asked.
 */
export async function cloneWorkspace(admin: pg.Client, clone: Clone): Promise<void> {
  await admin.query('set session_replication_role = replica')
  await admin.query(`create or replace function pg_temp.copy_of(id uuid, n integer) returns uuid language sql immutable
    as $$ select md5(id::text || n)::uuid $$`)
  for (let first = clone.from ?? 1; first <= clone.copies; first += atOnce) {
    const last = Math.min(first + atOnce - 1, clone.copies)
    for (const table of tables) await cloneRows(admin, table, { ...clone, first, last })
  }
  await admin.query('vacuum (analyze)')
}

type Stretch = Clone & { first: number; last: number }

async function cloneRows(admin: pg.Client, table: string, stretch: Stretch): Promise<void> {
  const { rows } = await admin.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and table_schema = 'public' and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  const values = rows.map(({ name, type }) => valueOf(name, type))
  await admin.query(
    `insert into ${table} (${rows.map(({ name }) => name).join(', ')})
     select ${values.join(', ')} from ${table} o, generate_series(${stretch.first}, ${stretch.last}) n where ${ownRows(table, stretch)}`,
  )
}

function valueOf(name: string, type: string): string {
  if (name === 'slug') return `o.slug || '-' || n`
  if (name === 'email') return `n || '.' || o.email`
  if (name === 'secret_hash') return `decode(md5(encode(o.secret_hash, 'hex') || n), 'hex')`
  if (name === 'token_id') return 'null'
  return type === 'uuid' && !shared.has(name) ? `pg_temp.copy_of(o.${name}, n)` : `o.${name}`
}

function ownRows(table: string, { workspaceId, personId }: Stretch): string {
  if (table === 'workspace') return `o.id = '${workspaceId}'`
  if (table === 'person') return `o.id = '${personId}'`
  if (table === 'component_hash')
    return `o.family_id in (select id from family where workspace_id = '${workspaceId}')`
  return `o.workspace_id = '${workspaceId}'`
}
