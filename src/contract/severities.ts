/** The most severe first. In a file of its own, because readers of vulnerability data need no API schemas. */
export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const
export type Severity = (typeof severities)[number]

/** What there is of each. */
export function bySeverity<Value>(valueOf: (severity: Severity) => Value): Record<Severity, Value> {
  return Object.fromEntries(severities.map((severity) => [severity, valueOf(severity)])) as Record<
    Severity,
    Value
  >
}
