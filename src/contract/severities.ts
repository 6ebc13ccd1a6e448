/** The most severe first. On its own, because what reads vulnerability data needs no shape of the API. */
export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const
export type Severity = (typeof severities)[number]
