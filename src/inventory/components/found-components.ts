import { sql, type RawBuilder } from 'kysely'
import { digestOf, digestsOfIntegrity } from '../../formats/digest.ts'
import { containing, soughtText } from '../../platform/postgres/like-pattern.ts'
import type { Db } from '../../database/connection.ts'
import { componentSpellings, namesOfRow, saysText } from '../../findings/reads/component-spellings.ts'
import { hashKey } from '../../sbom/components/hash-key.ts'
import { readBounds } from './version-bounds.ts'
import { isOneOf, selectWithin, type NarrowedVersions } from './within-versions.ts'

/** Components looked up in the active SBOMs at a time: what bounds the work of one page. */
export const componentsOfPage = 300
const maxWords = 8

export type ComponentSearch = {
  workspaceId: string
  /**
   * Words that all occur in the group, name, version or purl, or are Maven's `group:name`, without regard to case; behind them `<2.17` and the
   * like, which the version must be by the order of its ecosystem.
   */
  search?: string | undefined
  /** A whole hash, with or without its algorithm. */
  hash?: string | undefined
  cursor?: string | undefined
}

export type Position = { name: string; familyId: string; number: number; sbomId: string }

export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const highestNumber = 2_147_483_647

/**
 * The components that a search finds, in the order of their names, as many as are looked up at a time: a list of common table
 * expressions ending in `found` and `bound (is_cut, last)`, which says whether there may be more and after which component.
 *
 * Indexes: component_hash_search for a hash; the primary key of component_text, walked in the order of names or read whole, and
 * that of component_name for words; that of component_name alone for everything.
 */
export function foundComponents(
  query: ComponentSearch,
  after: Position | undefined,
  { atATime, within }: Pick<Wanted, 'atATime' | 'within'>,
): RawBuilder<unknown> {
  const wanted = { words: wordsOf(query.search), within, after, atATime }
  if (query.hash !== undefined) return withHash(query, { ...wanted, hash: query.hash })
  return wanted.words.length === 0 ? ofWorkspace(query, wanted) : withWords(query, wanted)
}

type Wanted = {
  words: readonly string[]
  /** Versions that are meant; null: all. */
  within: NarrowedVersions | null
  after: Position | undefined
  /** Components looked up. */
  atATime: number
}

function withHash(
  { workspaceId }: ComponentSearch,
  { words, within, hash, after, atATime }: Wanted & { hash: string },
): RawBuilder<unknown> {
  const value = soughtHash(soughtText(hash))
  const digest = value.slice(value.indexOf(':') + 1)
  return sql`
    found as materialized (
      select ${columns}
      from component_hash h
      join component c on c.family_id = h.family_id and c.number = h.number and c.workspace_id = ${workspaceId}
      join component_name m on m.workspace_id = c.workspace_id and m.name = lower(c.name) collate "C"
        and m.family_id = c.family_id and m.number = c.number
      where h.search_key = ${hashKey(workspaceId, sql`${digest}::text`)} and ${hasWords(words)} and ${isOneOf(sql`c.identity_id`, within)}
        and ${isFrom(after)}
        and exists (
          select from unnest(c.hashes) as k (hash) where k.hash = ${value} or split_part(k.hash, ':', 2) = ${value}
        )
      ${firstByName(atATime)}
    ),
    bound as (${boundOfFound(atATime)})`
}

/** As it is stored, where it is a digest in another spelling: `SHA-256:AB…`, or the integrity that lock files state (`sha512-…`). */
function soughtHash(text: string): string {
  const colon = text.indexOf(':')
  const named = colon === -1 ? null : digestOf(text.slice(0, colon), text.slice(colon + 1).trim())
  return named ?? digestsOfIntegrity(text)[0] ?? text.toLowerCase()
}

function ofWorkspace({ workspaceId }: ComponentSearch, { after, atATime }: Wanted): RawBuilder<unknown> {
  return sql`
    found as materialized (
      select ${columns}
      from component_name m
      cross join ${namedComponent}
      where m.workspace_id = ${workspaceId} and ${isFrom(after)}
      ${firstByName(atATime)}
    ),
    bound as (${boundOfFound(atATime)})`
}

/** Names first, because there are far fewer of them than components. Those of components that are gone find nothing. */
function withWords(
  { workspaceId }: ComponentSearch,
  { words, within, after, atATime }: Wanted,
): RawBuilder<unknown> {
  return sql`
    named as materialized (
      select t.name
      from component_text t
      where t.workspace_id = ${workspaceId} and ${saysWords(words)}
        and ${after === undefined ? sql`true` : sql`t.name >= ${after.name}::text collate "C"`}
      order by t.name
      fetch first ${sql.lit(atATime)} rows with ties
    ),
    found as materialized (
      select ${columns}
      from (select distinct name from named) n
      join component_name m on m.workspace_id = ${workspaceId} and m.name = n.name
      cross join ${namedComponent}
      where ${hasWords(words)} and ${isOneOf(sql`c.identity_id`, within)} and ${isFrom(after)}
      ${firstByName(atATime)}
    ),
    bound_of_found as (${boundOfFound(atATime)}),
    bound_of_names as (
      select count(*) >= ${atATime} as is_cut,
        case when count(*) > 0 then jsonb_build_array(max(name), ${highestId}::text, ${highestNumber}::int) end as last
      from named
    ),
    bound as (
      select f.is_cut or n.is_cut as is_cut, case when f.is_cut then f.last else n.last end as last
      from bound_of_found f cross join bound_of_names n
    )`
}

/** The component `c` that an entry `m` of component_name is about. */
const namedComponent = sql`lateral (
    select * from component x where x.family_id = m.family_id and x.number = m.number limit 1
  ) as c`

const columns = sql`m.family_id, m.number, c.identity_id, c.group_name, c.name, c.version, c.purl, c.licence, m.name as sort_name`

const firstByName = (atATime: number) => sql`
  order by m.name, m.family_id, m.number
  limit ${sql.lit(atATime)}`

const boundOfFound = (atATime: number) => sql`
  select count(*) = ${sql.lit(atATime)} as is_cut,
    (
      select jsonb_build_array(sort_name, family_id, number) from found
      order by sort_name desc, family_id desc, number desc limit 1
    ) as last
  from found`

/**
 * The versions that a search is narrowed to; null: all. Their components are looked up by the index on words and the primary key of component.
 */
export async function narrowedVersions(
  db: Db,
  { workspaceId, search }: ComponentSearch,
): Promise<NarrowedVersions | null> {
  const { bounds } = readBounds(soughtText(search))
  if (bounds.length === 0) return null
  const words = wordsOf(search)
  const named = sql`
    select c.identity_id
    from (select distinct t.name from component_text t where t.workspace_id = ${workspaceId} and ${saysWords(words)}) n
    join component_name m on m.workspace_id = ${workspaceId} and m.name = n.name
    cross join ${namedComponent}
    where ${hasWords(words)}`
  return selectWithin(db, named, bounds)
}

/** The words of a search, without the bounds of a version; a purl is one word. */
function wordsOf(search: string | undefined): string[] {
  const words = readBounds(soughtText(search)).words.split(/\s+/)
  return words.filter((word) => word !== '').slice(0, maxWords)
}

function saysWords(words: readonly string[]): RawBuilder<boolean> {
  return allOf(
    words,
    (word) => sql<boolean>`(${sql.join(componentSpellings(word).map(saidOfName), sql` or `)})`,
  )
}

/** Finds more than it should, never less: what a spelling joins is in two columns where there is no purl. */
function saidOfName(spelling: string): RawBuilder<boolean> {
  const [, group, name] = /^([^/]*)\/([^/@]*)(?:@[^/]*)?$/.exec(spelling) ?? []
  const says = (column: string, text: string) =>
    sql<boolean>`${sql.ref(column)} like lower(${containing(text)})`
  const whole = sql`${says('t.name', spelling)} or ${says('t.text', spelling)}`
  if (group === undefined || name === undefined) return sql<boolean>`${whole}`
  return sql<boolean>`${whole} or (${says('t.text', group)} and ${says('t.name', name)})`
}

function hasWords(words: readonly string[]): RawBuilder<boolean> {
  return allOf(words, (word) => saysText(namesOfRow('c'), word))
}

function allOf(
  words: readonly string[],
  condition: (word: string) => RawBuilder<boolean>,
): RawBuilder<boolean> {
  return words.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(words.map(condition), sql` and `)}`
}

/** The component of the cursor itself may have further SBOMs to show. */
function isFrom(after: Position | undefined): RawBuilder<boolean> {
  if (after === undefined) return sql<boolean>`true`
  return sql<boolean>`(m.name, m.family_id, m.number) >= (
    ${after.name}::text collate "C", ${after.familyId}::uuid, ${after.number}::int)`
}
