import type { AppOperation, QueryKind, QueryOf } from '#contract/operation.ts'

/*
 * The query string of an address. It is untrusted: each value is parsed as expected or dropped. Addresses hold only what differs from the
 * default.
 */

/** Query values that are flags in an address. */
type Switches = { exploited?: true; archived?: true }

/** The filter of a list in the address of its page: the operation's query without the cursor. */
export type Filter<Known extends AppOperation> = Present<Omit<QueryOf<Known>, 'cursor' | keyof Switches>> &
  Pick<Switches, keyof QueryOf<Known> & keyof Switches>

export type Raw = Record<string, unknown>

/** Parses an address into the query of a list's operation. */
export function filterIn<Known extends AppOperation>(raw: Raw, { query }: Known): Filter<Known> {
  const { cursor: _cursor, ...kinds }: Record<string, QueryKind> = query
  const values = Object.entries(kinds).map(([name, kind]) => [name, valueIn(raw[name], name, kind)])
  return present(Object.fromEntries(values) as Raw) as Filter<Known>
}

function valueIn(value: unknown, name: string, kind: QueryKind): string | number | true | undefined {
  if (Object.hasOwn(switchedOn, name)) return flag(value)
  if (kind === 'number') return wholeNumber(value)
  return typeof kind === 'string' ? text(value) : oneOf(value, kind)
}

const switchedOn = { exploited: 'any', archived: 'true' } as const satisfies Record<keyof Switches, string>

type Asked<Searched extends Switches> = Omit<Searched, keyof Switches> & {
  exploited?: typeof switchedOn.exploited
  archived?: typeof switchedOn.archived
}

/** The query of a list for a parsed address. */
export function asked<const Searched extends Switches>(searched: Searched): Asked<Searched> {
  const { exploited, archived, ...others } = searched
  return {
    ...others,
    ...(exploited === true ? { exploited: switchedOn.exploited } : {}),
    ...(archived === true ? { archived: switchedOn.archived } : {}),
  }
}

export function text(value: unknown): string | undefined {
  const words = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof words === 'string' && words !== '' ? words.slice(0, 400) : undefined
}

function wholeNumber(value: unknown): number | undefined {
  const number = Number(text(value))
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  // the router parses a value that looks like a number
  const word = typeof value === 'number' ? String(value) : value
  return allowed.find((choice) => choice === word)
}

function flag(value: unknown): true | undefined {
  return value === true || value === 'true' ? true : undefined
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Drops absent values, so that an address holds only what differs from the default. */
export function present<T extends Raw>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>
}
