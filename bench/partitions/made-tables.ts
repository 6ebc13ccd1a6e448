/** One table that grows with the number of workspaces, filled with rows like those that the service writes. */
export type MadeTable = {
  name: string
  /** Of the rows asked for. */
  share: number
  /** What its rows are spread by. */
  key: 'workspace_id' | 'identity_id'
  /** Rows that arrive together: those of one family, of one day. */
  batch: number
  /** Columns and their values for row `i` (bigint) of batch `b`; everything else stays null or its default. */
  values: Record<string, string>
  /** Other tables with the columns of this one: an index of another kind, or (`before` its rows) room left in each page. */
  others: { name: string; change: string; before?: boolean }[]
  reads: MadeRead[]
  /** What happens to rows that are there: of the workspaces `$1`. */
  update?: string
  /** Where rows are found when their workspace goes, by an index: the workspaces `$1`, their families `$2`. */
  gone: string
}

/** A statement with what it is asked for; `{t}` is the table. */
export type MadeRead = { name: string; text: string; values: (of: Chosen) => unknown[] }

/** Some of the batches, as numbers and ids. */
export type Chosen = { batch: number; workspace: string; family: string; start: number; made: string[] }

/** Companies among which the batches go in turn. */
export const workspaces = 1000

export const idOf = (kind: string, number: string): string => `md5('${kind}' || (${number}))::uuid`
const workspace = idOf('w', `b % ${workspaces}`)
const family = idOf('f', 'b')
/** Shared by all companies: two million, the lower half ten times as frequent. */
const identity = idOf('i', '(i * 7919 + b * 104729) % (case when i % 11 = 0 then 2000000 else 1000000 end)')
const at = `timestamptz '2025-01-01' + i * interval '1 second' / 2`

const component: MadeTable = {
  name: 'component',
  share: 0.58,
  key: 'workspace_id',
  batch: 1000,
  values: {
    workspace_id: workspace,
    family_id: family,
    number: '(i % 1000)::integer',
    hash: idOf('c', 'i'),
    identity_id: identity,
    type: `'library'`,
    name: `'component-' || i % 90000`,
    version: `i % 9 || '.' || i % 31 || '.' || b % 17`,
    purl: `'pkg:npm/component-' || i % 90000 || '@' || i % 9 || '.' || i % 31 || '.' || b % 17`,
    hashes: `'{}'`,
  },
  others: [],
  gone: 'workspace_id = any($1) and family_id = any($2)',
  reads: [
    {
      name: 'of a family by hash',
      text: 'select number, hash from {t} where workspace_id = $1 and family_id = $2 and hash = any($3::uuid[])',
      values: ({ workspace, family, made }) => [workspace, family, made],
    },
    {
      name: 'families of an identity',
      text: `select count(*) from (select distinct family_id from {t} where identity_id = md5('i' || ($1::integer % 1000000))::uuid) f`,
      values: ({ start }) => [start % 1_000_000],
    },
  ],
}

const finding: MadeTable = {
  name: 'finding',
  share: 0.2,
  key: 'workspace_id',
  batch: 200,
  values: {
    id: idOf('n', 'i'),
    workspace_id: workspace,
    family_id: family,
    version_id: idOf('v', 'b * 4 + i % 4'),
    identity_id: identity,
    group_id: 'i % 300000',
    grade: `case when i % 5 = 0 then 'possible' else 'exact' end`,
    exploited_by: `case when i % 400 = 0 then '{cisa_kev}'::text[] else '{}' end`,
    first_seen_at: at,
    closed_at: `case when i % 3 = 0 then ${at} + interval '9 days' end`,
  },
  gone: 'workspace_id = any($1) and family_id = any($2)',
  others: [{ name: 'fillfactor_85', change: 'alter table {t} set (fillfactor = 85)', before: true }],
  reads: [
    {
      name: 'open ones of a family',
      text: 'select id, identity_id, group_id from {t} where workspace_id = $1 and family_id = $2 and closed_at is null',
      values: ({ workspace, family }) => [workspace, family],
    },
    {
      name: 'open ones of an identity',
      text: `select count(*) from {t} where identity_id = md5('i' || ($1::integer % 1000000))::uuid and closed_at is null`,
      values: ({ start }) => [start % 1_000_000],
    },
  ],
  update: `update {t} set grade = 'exact' where workspace_id = any($1) and closed_at is null`,
}

const auditEvent: MadeTable = {
  name: 'audit_event',
  share: 0.1,
  key: 'workspace_id',
  batch: 20,
  values: {
    id: 'i',
    workspace_id: workspace,
    at,
    actor_kind: `'token'`,
    actor_id: idOf('t', 'b % 5000'),
    actor_name: `'pipeline'`,
    action: `'sbom.received'`,
    object_kind: `'sbom'`,
    object_id: `md5('s' || i)::uuid::text`,
    after: `jsonb_build_object('sha256', md5('s' || i) || md5('h' || i), 'size', i % 90000)`,
  },
  gone: 'workspace_id = any($1) and $2::uuid[] is not null',
  others: [
    {
      name: 'brin_instead_of_newest',
      change: 'drop index {newest}; create index on {t} using brin (workspace_id, at)',
    },
  ],
  reads: [
    {
      name: 'the newest of a workspace',
      text: 'select id, at, action from {t} where workspace_id = $1 order by at desc, id desc limit 50',
      values: ({ workspace }) => [workspace],
    },
  ],
}

const alertDelivery: MadeTable = {
  name: 'alert_delivery',
  share: 0.06,
  key: 'workspace_id',
  batch: 10,
  values: {
    id: idOf('d', 'i'),
    workspace_id: workspace,
    destination_id: idOf('o', `b % ${workspaces} + i % 3 * ${workspaces}`),
    event_id: idOf('e', 'i'),
    type: `'finding.created'`,
    fact: `jsonb_build_object('findingId', md5('n' || i), 'familyId', md5('f' || b))`,
    host: `'hooks' || b % ${workspaces} || '.example'`,
    state: `case when i % 5000 = 0 then 'pending' when i % 100 = 0 then 'failed' else 'sent' end`,
    created_at: at,
  },
  gone: `workspace_id = any($1) and $2::uuid[] is not null and destination_id in (select ${idOf('o', 'b')} from generate_series(1, 2001, 1000) b)`,
  others: [
    {
      name: 'brin_instead_of_ended',
      change: 'drop index {ended}; create index on {t} using brin (created_at)',
    },
  ],
  reads: [
    {
      name: 'history of a destination',
      text: `select id, state from {t} where workspace_id = $1 and destination_id = md5('o' || $2::integer)::uuid order by created_at desc, id desc limit 50`,
      values: ({ workspace, batch }) => [workspace, batch % workspaces],
    },
    {
      name: 'what ended before a time',
      text: `select count(*) from {t} where created_at < timestamptz '2025-01-01' + $1::integer * interval '1 second' and state in ('sent', 'failed', 'not_sent')`,
      values: ({ batch }) => [batch % 5000],
    },
  ],
  update: `update {t} set state = 'sent', attempts = 1 where workspace_id = any($1) and state = 'pending'`,
}

const sbom: MadeTable = {
  name: 'sbom',
  share: 0.01,
  key: 'workspace_id',
  batch: 20,
  values: {
    id: idOf('s', 'i'),
    workspace_id: workspace,
    family_id: family,
    version_id: idOf('v', 'b * 4 + i % 4'),
    sha256: `decode(md5('s' || i) || md5('h' || i), 'hex')`,
    status: `'matched'`,
    active: 'i % 20 >= 16',
    format: `'cyclonedx'`,
    spec_version: `'1.6'`,
    tools: `'{syft}'`,
    hints: `'{}'`,
    vulnerability_entries: '0',
    source: `'api'`,
    sent_by: `'token'`,
    size_bytes: '120000',
    raw: `decode(repeat(md5('r' || i), 60), 'hex')`,
    raw_encoding: `'gzip'`,
    component_count: '200',
    component_numbers: '(select array_agg(n) from generate_series(1, 200) n)',
    received_at: at,
  },
  others: [],
  gone: 'workspace_id = any($1) and family_id = any($2)',
  reads: [
    {
      name: 'history of a family',
      text: 'select id, received_at from {t} where workspace_id = $1 and family_id = $2 order by received_at desc, id desc limit 50',
      values: ({ workspace, family }) => [workspace, family],
    },
  ],
}

const identityMatch: MadeTable = {
  name: 'identity_match',
  share: 0.05,
  key: 'identity_id',
  batch: 4,
  values: {
    identity_id: idOf('i', 'b'),
    vulnerability_id: 'i * 7919 % 400000',
    grade: `'exact'`,
    range_id: 'i',
    matched_at: at,
  },
  others: [],
  gone: 'identity_id = any($1) and $2::uuid[] is not null',
  reads: [
    {
      name: 'of 200 identities',
      text: `select identity_id, vulnerability_id from {t} where identity_id in (select md5('i' || n)::uuid from generate_series($1::integer, $1::integer + 199) n)`,
      values: ({ batch }) => [batch],
    },
    {
      name: 'of a vulnerability',
      text: 'select count(*) from {t} where vulnerability_id = $1',
      values: ({ start }) => [start % 400_000],
    },
  ],
}

export const madeTables: readonly MadeTable[] = [
  component,
  finding,
  auditEvent,
  alertDelivery,
  sbom,
  identityMatch,
]
