import { versionKey } from '../../../formats/versions/ordering.ts'
import { fieldOf, listField, textField, textsField } from '../../documents/fields.ts'
import { RefusedData } from '../../documents/refused-data.ts'
import {
  maxCpeLength,
  maxVersionLength,
  ofAnyVersion,
  type VulnerableMatch,
} from '../../cpe/vulnerable-match.ts'

type Bounds = Pick<VulnerableMatch, 'startIncluding' | 'endIncluding' | 'endExcluding' | 'hasUnorderedChange'>

const maxMatches = 200_000
const scheme = 'generic'

/** What stands for a version that nobody named. */
const noEnd = ['*', 'n/a', '-', 'unspecified']
const noStart = ['0', ...noEnd]

/**
 * The vulnerable products of the `affected` list of a CVE record's container (CVE Record Format 5.1, `product` and `versions`): each CPE
 * name with each range of versions whose status is `affected`; the range stands for the version in the name. Entries without a name or
 * a usable version contribute nothing, also where `defaultStatus` is `affected`: it would make every version vulnerable.
 * `name` says in messages where the record came from. Refuses (`RefusedData`) what is too much to be a real record.
 */
export function affectedMatches(affected: readonly unknown[], name: string): VulnerableMatch[] {
  const matches: VulnerableMatch[] = []
  for (const entry of affected) {
    const cpes = textsField(entry, 'cpes', maxCpeLength)
    const ranges = cpes.length === 0 ? [] : listField(entry, 'versions').flatMap(rangesOf)
    if (matches.length + cpes.length * ranges.length > maxMatches)
      throw new RefusedData(`${name}: affects more than ${maxMatches} ranges of versions`)
    for (const criteria of cpes.map(ofAnyVersion)) {
      for (const range of ranges) matches.push({ criteria, startExcluding: null, ...range, runningOn: [] })
    }
  }
  return matches
}

function rangesOf(version: unknown): Bounds[] {
  // commits have no order
  if (fieldOf(version, 'status') !== 'affected' || fieldOf(version, 'versionType') === 'git') return []
  const startIncluding = namedVersion(version, 'version', noStart)
  const endIncluding = namedVersion(version, 'lessThanOrEqual', noEnd)
  const endExcluding = namedVersion(version, 'lessThan', noEnd)
  const range = { startIncluding, endIncluding, endExcluding }
  const ends = ['lessThan', 'lessThanOrEqual'].map((key) => fieldOf(version, key))
  const isOpenEnded = startIncluding !== null && ends.some((end) => typeof end === 'string')
  if (endIncluding !== null || endExcluding !== null || isOpenEnded)
    return affectedStretches(range, listField(version, 'changes'))
  if (startIncluding !== null) return [{ ...range, endIncluding: startIncluding }]
  return ends.includes('*') ? [{ ...range, startIncluding: '0' }] : []
}

/** null: none is named. */
function namedVersion(version: unknown, key: string, placeholders: readonly string[]): string | null {
  const text = textField(version, key, maxVersionLength)
  return text === null || placeholders.includes(text.toLowerCase()) ? null : text
}

/** `key` is null where no order knows the version. */
type Change = { at: string; key: Uint8Array | null; isAffected: boolean }
type OrderedChange = Change & { key: Uint8Array }

/**
 * A range without the stretches that its `changes` take out again. They come in any order. Where one that no order knows ends what is
 * affected, any of the stretches may be over sooner; where one begins it again, the whole range may be affected.
 */
function affectedStretches(range: Bounds, changes: readonly unknown[]): Bounds[] {
  const read = changes.flatMap((change) => readChange(change))
  const unordered = read.filter(({ key }) => key === null)
  const ordered = changesWithin(range, read.filter(isOrdered))
  const stretches = stretchesBetween(range, ordered)
  const mayEnd = unordered.some(({ isAffected }) => !isAffected)
  const mayBegin = unordered.some(({ isAffected }) => isAffected)
  return [
    ...(mayEnd ? stretches.map((stretch) => ({ ...stretch, hasUnorderedChange: true })) : stretches),
    ...(mayBegin && ordered.length > 0 ? [{ ...range, hasUnorderedChange: true }] : []),
  ]
}

function stretchesBetween(range: Bounds, changes: readonly OrderedChange[]): Bounds[] {
  const stretches: Bounds[] = []
  let start = range.startIncluding
  let isAffected = true
  for (const change of changes) {
    if (isAffected && !change.isAffected)
      stretches.push({ startIncluding: start, endIncluding: null, endExcluding: change.at })
    if (!isAffected && change.isAffected) start = change.at
    isAffected = change.isAffected
  }
  return isAffected ? [...stretches, { ...range, startIncluding: start }] : stretches
}

function changesWithin(
  { endIncluding, endExcluding }: Bounds,
  changes: readonly OrderedChange[],
): OrderedChange[] {
  const end = endIncluding ?? endExcluding
  const endKey = end === null ? null : versionKey(scheme, end)
  const isWithin = ({ key }: OrderedChange) => {
    const order = endKey === null ? -1 : Buffer.compare(key, endKey)
    return order < 0 || (order === 0 && endIncluding !== null)
  }
  return changes.filter(isWithin).sort((a, b) => Buffer.compare(a.key, b.key))
}

function isOrdered(change: Change): change is OrderedChange {
  return change.key !== null
}

function readChange(change: unknown): Change[] {
  const at = namedVersion(change, 'at', noEnd)
  if (at === null) return []
  return [{ at, key: versionKey(scheme, at), isAffected: fieldOf(change, 'status') === 'affected' }]
}
