type Sharing<Item> = { keyOf: (item: Item) => string; shareOf: (items: readonly Item[]) => number }

/** Who has to make room: the key whose items have the largest share; the newcomer's own where others have as large a one. */
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
