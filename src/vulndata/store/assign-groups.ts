import type { Component } from './components.ts'

export type Assignment = {
  /** By component: the stored group that it keeps, or null for a new one. */
  groupIds: (number | null)[]
  merged: { from: number; into: number }[]
}

type Stored = {
  /** Title id of each stored group. */
  titles: ReadonlyMap<number, string>
  /** Stored group of each record. */
  groupOf: ReadonlyMap<number, number>
}

/**
 * Which stored group each component continues. A group that splits continues in the component with its title, otherwise in the
 * one with its oldest record; where several groups continue in one component the oldest stays.
 */
export function assignGroups(components: readonly Component[], stored: Stored): Assignment {
  const groupsOf: number[][] = components.map(() => [])
  for (const [groupId, component] of heirs(components, stored)) groupsOf[component]?.push(groupId)
  const merged: Assignment['merged'] = []
  const groupIds = groupsOf.map((groups) => {
    const [oldest, ...others] = groups.sort((a, b) => a - b)
    if (oldest === undefined) return null
    for (const from of others) merged.push({ from, into: oldest })
    return oldest
  })
  return { groupIds, merged }
}

/** The component in which each stored group goes on. */
function heirs(components: readonly Component[], { titles, groupOf }: Stored): Map<number, number> {
  const byTitle = new Map<number, number>()
  const byOldest = new Map<number, { component: number; record: number }>()
  for (const [index, component] of components.entries()) {
    for (const record of component.members) {
      const groupId = groupOf.get(record)
      if (groupId === undefined) continue
      if (component.ids.has(titles.get(groupId) ?? '')) byTitle.set(groupId, index)
      const oldest = byOldest.get(groupId)
      if (oldest === undefined || record < oldest.record) byOldest.set(groupId, { component: index, record })
    }
  }
  return new Map(
    [...byOldest].map(([groupId, { component }]) => [groupId, byTitle.get(groupId) ?? component]),
  )
}
