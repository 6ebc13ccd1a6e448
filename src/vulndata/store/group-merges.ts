/** A group of records that was merged into another: both name the same vulnerability. */
export type GroupMerge = { from: number; into: number }

/** A group may have been merged into one that was merged itself: findings go to the last one. */
export function lastHeirs(merges: readonly GroupMerge[]): GroupMerge[] {
  const heirs = new Map(merges.map(({ from, into }) => [from, into]))
  return [...heirs.keys()].map((from) => {
    let into = from
    // The oldest group stays, so every step goes to a smaller id.
    for (let next = heirs.get(into); next !== undefined && next < into; next = heirs.get(into)) into = next
    return { from, into }
  })
}
