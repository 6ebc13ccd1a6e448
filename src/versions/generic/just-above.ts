/**
 * The lowest key above a version's key: as an included lower bound it excludes the version and nothing else, which is how
 * `versionStartExcluding` is stored. True of schemes none of whose keys is the beginning of another, such as `generic`,
 * whose keys end in a mark that occurs nowhere else. No version has the result as its own key.
 */
export function justAbove(key: Uint8Array): Uint8Array {
  const above = new Uint8Array(key.length + 1)
  above.set(key)
  return above
}
