/** How one ecosystem orders versions. The text given to `parse` is trimmed and at most 512 characters long. */
export type OrderingRule<Parsed> = {
  /** Where the rule is written down. */
  rule: string
  /** undefined: the ecosystem's rule says nothing certain about this text. */
  parse: (version: string) => Parsed | undefined
  /** Below zero when `a` is the older one; undefined: the rule says nothing certain about these two. Only schemes without keys have such pairs. */
  compare: (a: Parsed, b: Parsed) => number | undefined
  /** Bytes in the same order as `compare`; null: the scheme has no key. */
  key: ((parsed: Parsed) => Uint8Array) | null
}
