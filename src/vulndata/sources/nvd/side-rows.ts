export const yearPrefix = 'nvd-year:'
export const scoresPrefix = 'nvd-scores:'

/** The row that keeps that a year of NVD's feeds is loaded, beside the row of the source. */
export function yearName(year: number): string {
  return yearPrefix + String(year)
}

/** The row that keeps for which CVEs of a year NVD was asked for severities alone. */
export function scoresName(year: number): string {
  return scoresPrefix + String(year)
}
