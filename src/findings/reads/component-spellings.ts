import { sql, type RawBuilder } from 'kysely'
import { containing } from '../../platform/postgres/like-pattern.ts'

/** `group:name` and `group:name:version`, as build tools for Java write a component. */
const coordinates = /^([^\s:/]+):([^\s:/@]+)(?::([^\s:/@]+))?$/
const scheme = /^(pkg|cpe|sha\d*|md5|https?)$/i

/**
 * How a text that someone looks for may be written in an SBOM: as it is; Maven coordinates as `group/name@version`; a scope's `@` as
 * purls write it (`%40`).
 */
export function componentSpellings(text: string): string[] {
  const [, group, name, version] = coordinates.exec(text) ?? []
  const slashed =
    group === undefined || name === undefined || scheme.test(group)
      ? text
      : `${group}/${name}${version === undefined ? '' : `@${version}`}`
  return [...new Set([text, slashed, text.replace(/(^|\/)@/, '$1%40')])]
}

/** `group/name@version` of a component, which spellings are looked for in beside its purl. */
function nameInFull(table: string): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<string>`concat_ws('@', concat_ws('/', ${column('group_name')}, ${column('name')}), ${column('version')})`
}

/** What a component may be looked for by: in full, and by each of its package URLs and CPEs but the first CPE. */
export function namesOfRow(table: string): RawBuilder<unknown>[] {
  const others = sql`array_to_string(${sql.ref(`${table}.other_names`)}, ' ')`
  return [nameInFull(table), sql.ref(`${table}.purl`), others]
}

/** Whether one of the columns has the text in one of its spellings, without regard to case. */
export function saysText(columns: readonly RawBuilder<unknown>[], text: string): RawBuilder<boolean> {
  const conditions = componentSpellings(text).flatMap((spelling) =>
    columns.map((column) => sql<boolean>`${column} ilike ${containing(spelling)}`),
  )
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}
