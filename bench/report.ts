/** One measured figure. `ratio` compares with a bare baseline of the same run where one exists. */
export type Figure = {
  figure: string
  value: number
  unit: string
  runs: number
  ratio?: { of: string; value: number }
  detail?: Record<string, unknown>
}

/** One JSON line per figure, on standard output; everything else goes to standard error. */
export function report(figure: Figure): void {
  process.stdout.write(`${JSON.stringify({ ...figure, value: round(figure.value) })}\n`)
}

export function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}

export function median(values: number[]): number {
  return percentile(values, 50)
}

/** Nearest-rank percentile; 0 for no values. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)
  return sorted[rank] ?? 0
}

export function round(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}
