const hexLengths = new Set([32, 40, 56, 64, 96, 128])

/** The hash in a search: as many hexadecimal digits as a known algorithm has, optionally after its name and a colon. */
export function hashIn(words: string): string | undefined {
  const [, value = ''] = /^(?:[A-Za-z0-9-]{2,12}:)?([0-9A-Fa-f]+)$/.exec(words.trim()) ?? []
  return hexLengths.has(value.length) ? value.toLowerCase() : undefined
}
