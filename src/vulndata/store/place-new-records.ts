import type { Tx } from '../../database/connection.ts'
import { connect, type Claim, type Component } from './components.ts'
import { displayOf, type Member } from './group-display.ts'
import { selectGroupsOfIds, type GroupRow } from './group-queries.ts'
import { takeIds } from './take-ids.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'

type GroupOfRecord = {
  groupId: number
  /** Nothing that is stored can change what the group is or shows. */
  isSettled: boolean
}

export type Placement = {
  /** Groups to be made. */
  groups: GroupRow[]
  /** Of each record, in their order. */
  places: GroupOfRecord[]
}

/**
 * Finds groups for records that are about to be written: those connected only with each other get a new, final one, those connected
 * with stored ones join the oldest of their groups until `regroup` has checked them. Rows that each got a group of their own would
 * be written twice.
 */
export async function placeNewRecords(tx: Tx, records: readonly PreparedRecord[]): Promise<Placement> {
  const claims = records.map((record, index): Claim => {
    return { vulnerabilityId: index, recordId: record.id, ids: record.ownIds }
  })
  const { components, oversized } = connect(claims)
  const stored = await selectGroupsOfIds(tx, [...new Set(claims.flatMap(({ ids }) => ids))])
  const joined = components.map((component) => oldestGroup(component, claims, stored))
  const fresh = await takeIds(tx, 'vulnerability_group', joined.filter((id) => id === null).length)
  const groups: GroupRow[] = []
  const places = new Map<number, GroupOfRecord>()
  for (const [index, component] of components.entries()) {
    const members = component.members.flatMap((member) => records[member] ?? [])
    const storedId = joined[index] ?? null
    const groupId = storedId ?? fresh.shift() ?? 0
    if (storedId === null)
      groups.push({ id: groupId, display: displayOf(members.map(memberOf), component.ids) })
    const isSettled =
      storedId === null && oversized.length === 0 && !members.some(({ mayBorrow }) => mayBorrow)
    for (const member of component.members) places.set(member, { groupId, isSettled })
  }
  return { groups, places: records.map((_, index) => placed(places.get(index))) }
}

/** Also of what the members of a group that is too large claim, so that they come before `regroup`. */
function oldestGroup(
  { members }: Component,
  claims: readonly Claim[],
  stored: ReadonlyMap<string, number>,
): number | null {
  let oldest: number | null = null
  for (const member of members) {
    for (const id of claims[member]?.ids ?? []) {
      const groupId = stored.get(id)
      if (groupId !== undefined && (oldest === null || groupId < oldest)) oldest = groupId
    }
  }
  return oldest
}

function memberOf(
  { id, ownIds, cves, summary, severity, score, withdrawnAt }: PreparedRecord,
  index: number,
): Member {
  return {
    id: index,
    recordId: id,
    summary,
    severity,
    score,
    upstream: null,
    isWithdrawn: withdrawnAt !== null,
    ids: ownIds,
    cves,
  }
}

function placed(place: GroupOfRecord | undefined): GroupOfRecord {
  if (place === undefined) throw new Error('a new record was left without a group')
  return place
}
