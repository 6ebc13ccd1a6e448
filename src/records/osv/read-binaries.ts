import { fieldOf, listField, textField } from '../../source-files/fields.ts'

/** What a record says of installed packages built from the one that is affected. */
export type Binaries = {
  /** Those of the version in the record; absent where none are named (Ubuntu names them). */
  binaries?: string[]
  /** Those that count for themselves (`bsdutils` of util-linux), with what fixes them, null: nothing does; absent: none is known. */
  countedApart?: { name: string; fixed: string | null }[]
}

type Event = { kind: string; version: string }
type Affected = { versions: readonly string[]; ranges: readonly (readonly Event[])[] }

const maxTextLength = 512
/** Ubuntu's kernels are the largest: some hundred of each flavour. */
const maxBinaries = 5_000

/**
 * The packages built from the one that is affected, as `ecosystem_specific.binaries` lists them: those that have a version which the record speaks of, and those that
 * count for themselves (`bsdutils` of util-linux). The version of such a one is that of its fix where others of the list have the version with the
 * fix: they were built together.
 */
export function binariesOf(value: unknown, { versions, ranges }: Affected): Binaries {
  const entries = listField(fieldOf(value, 'ecosystem_specific'), 'binaries').slice(0, maxBinaries)
  const listed = entries.flatMap(binariesIn).slice(0, maxBinaries)
  if (listed.length === 0) return {}
  const events = ranges.flat()
  const known = new Set([...versions, ...events.map(({ version }) => version)])
  const names = listed.filter(([, version]) => known.has(version)).map(([name]) => name)
  const apart = listed.filter(([, version]) => !known.has(version))
  const fix = fixTold(events, new Set(listed.map(([, version]) => version)))
  return {
    ...(names.length === 0 ? {} : { binaries: [...new Set(names)] }),
    ...(apart.length === 0 || fix === undefined
      ? {}
      : { countedApart: apart.map(([name, version]) => ({ name, fixed: fix === null ? null : version })) }),
  }
}

/** The fix whose packages are listed, null where there is none yet; undefined: the list says nothing of it. */
function fixTold(events: readonly Event[], listed: ReadonlySet<string>): string | null | undefined {
  const fixes = events.filter(({ kind }) => kind === 'fixed')
  const isFromFirst = events.every(
    ({ kind, version }) => kind === 'fixed' || (kind === 'introduced' && version === '0'),
  )
  if (!isFromFirst || events.length === 0 || fixes.length > 1) return undefined
  const fix = fixes[0]?.version ?? null
  return fix === null || listed.has(fix) ? fix : undefined
}

/** Either form that Ubuntu has written: `{ binary_name, binary_version }`, or names with their versions. */
function binariesIn(entry: unknown): [name: string, version: string][] {
  const name = textField(entry, 'binary_name', maxTextLength)
  const version = textField(entry, 'binary_version', maxTextLength)
  if (name !== null) return version === null ? [] : [[name, version]]
  if (typeof entry !== 'object' || entry === null) return []
  return Object.entries(entry)
    .slice(0, maxBinaries)
    .filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    .filter((pair) => pair.every((text) => text.length <= maxTextLength))
}
