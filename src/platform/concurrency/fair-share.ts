type Sharing<Item> = { keyOf: (item: Item) => string; shareOf: (items: readonly Item[]) => number }

/** Who has to give way: the key with the largest share of the items; on a tie the newcomer's own. */
export function largestShare<Item>(
  items: Iterable<Item>,
  newcomer: Item,
  { keyOf, shareOf }: Sharing<Item>,
): string {
  const byKey = Map.groupBy(items, keyOf)
  let largest = keyOf(newcomer)
  let share = shareOf(byKey.get(largest) ?? [])
  for (const [key, own] of byKey) if (shareOf(own) > share) [largest, share] = [key, shareOf(own)]
  return largest
}
