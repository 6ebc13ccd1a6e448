/** The measurements of a docs/reliability scenario, and the violations of its safety properties. */
export type Outcome = { figures: Record<string, number>; failures: string[] }

/** What is missing, duplicated or unexpected. */
export function onceEach(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const counts = new Map(expected.map((name) => [name, 0]))
  for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1)
  const known = new Set(expected)
  return [...counts].flatMap(([name, count]) => {
    if (!known.has(name)) return [`${what} not expected: ${name}`]
    if (count === 0) return [`${what} missing: ${name}`]
    return count > 1 ? [`${what} ${count} times: ${name}`] : []
  })
}
