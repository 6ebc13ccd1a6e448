const hexLengths = new Set([32, 40, 56, 64, 96, 128])

/** What lock files state (Subresource Integrity). */
const integrity =
  /^sha(?:1-[A-Za-z0-9+/]{27}=|256-[A-Za-z0-9+/]{43}=|384-[A-Za-z0-9+/]{64}|512-[A-Za-z0-9+/]{86}==)$/

/**
 * The hash in a search: as many hexadecimal digits as a known algorithm has, optionally after its name and a colon; or the integrity that a lock file
 * states.
 */
export function hashIn(words: string): string | undefined {
  if (integrity.test(words.trim())) return words.trim()
  const [, value = ''] = /^(?:[A-Za-z0-9-]{2,12}:)?([0-9A-Fa-f]+)$/.exec(words.trim()) ?? []
  return hexLengths.has(value.length) ? value.toLowerCase() : undefined
}
