/** The metrics of one CVSS vector: `AV` → `N`. */
export type Metrics = ReadonlyMap<string, string>

const longestVector = 400

/**
 * The metrics of a vector such as `AV:N/AC:L/…` (without its version prefix). Undefined when a part is not
 * `name:value` or a metric is given twice (CVSS 3.1 §6: each metric at most once).
 */
export function readMetrics(text: string): Metrics | undefined {
  if (text.length > longestVector) return undefined
  const metrics = new Map<string, string>()
  for (const part of text.split('/')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, colon)
    if (colon < 1 || colon === part.length - 1 || metrics.has(name)) return undefined
    metrics.set(name, part.slice(colon + 1))
  }
  return metrics
}

/** The weight of a metric by its name. */
export type Weigh = (metric: string) => number

/**
 * The weights of the metrics in `tables`. Undefined when one of them is missing or has a value the standard does not know.
 */
export function weigh(metrics: Metrics, tables: ReadonlyMap<string, Weights>): Weigh | undefined {
  const weights = new Map<string, number>()
  for (const [name, table] of tables) {
    const weight = table.get(metrics.get(name) ?? '')
    if (weight === undefined) return undefined
    weights.set(name, weight)
  }
  return (metric) => weights.get(metric) ?? 0
}

export type Weights = ReadonlyMap<string, number>

export function weightsOf(table: Record<string, number>): Weights {
  return new Map(Object.entries(table))
}
