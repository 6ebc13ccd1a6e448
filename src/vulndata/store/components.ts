/** A record and the ids it says are the same vulnerability, its own id first. */
export type Claim = { vulnerabilityId: number; recordId: string; ids: readonly string[] }

/** Records that name the same vulnerability. */
export type Component = {
  members: number[]
  /** Every id the members have or claim. */
  ids: Set<string>
}

/** A group of more ids is a mistake of some source: its records stay apart, and are reported. */
export const maxGroupIds = 32

export type Components = { components: Component[]; oversized: string[] }

/**
 * Puts records together that share an id, by union-find. A group over 32 ids is not made: each of its records stays alone, and
 * the first record id of each such group is reported in `oversized`.
 */
export function connect(claims: readonly Claim[]): Components {
  const parents = new Map<string, string>()
  for (const { ids } of claims) {
    for (const id of ids) union(parents, ids[0] ?? id, id)
  }
  const byRoot = Map.groupBy(claims, (claim) => rootOf(parents, claim.recordId))
  const components: Component[] = []
  const oversized: string[] = []
  for (const group of byRoot.values()) {
    const whole = componentOf(group)
    if (countedIds(group) <= maxGroupIds) {
      components.push(whole)
      continue
    }
    oversized.push(group.map((claim) => claim.recordId).sort()[0] ?? '')
    for (const claim of group) {
      components.push({ members: [claim.vulnerabilityId], ids: new Set([claim.recordId]) })
    }
  }
  return { components, oversized }
}

/** Without the own ids of notices on the same CVE: a distribution may have any number of them. */
function countedIds(claims: readonly Claim[]): number {
  const isNotice = ({ ids }: Claim) => ids.length === 2 && ids.some((id) => id.includes(' CVE-'))
  return new Set(claims.filter((claim) => !isNotice(claim)).flatMap(({ ids }) => ids)).size
}

function componentOf(claims: readonly Claim[]): Component {
  return {
    members: claims.map((claim) => claim.vulnerabilityId),
    ids: new Set(claims.flatMap((claim) => claim.ids)),
  }
}

function union(parents: Map<string, string>, a: string, b: string): void {
  const rootA = rootOf(parents, a)
  const rootB = rootOf(parents, b)
  if (rootA !== rootB) parents.set(rootB, rootA)
}

/** Finds the root and compresses the path, so that chains stay short. */
function rootOf(parents: Map<string, string>, id: string): string {
  let at = id
  for (let parent = parents.get(at); parent !== undefined; parent = parents.get(at)) {
    const grandparent = parents.get(parent)
    if (grandparent !== undefined) parents.set(at, grandparent)
    at = parent
  }
  return at
}
