type Progress = { label: string; done: number; total: number | null }

/** After less than this a rate says nothing yet. */
const ratedAfterMs = 1_000

/** Progress of long work for people: one line rewritten on a terminal, a line every few seconds elsewhere. */
export function progressLine(): (progress: Progress) => void {
  let lastAt = 0
  let begun = { label: '', at: 0, done: 0 }
  return (progress) => {
    const at = performance.now()
    const { label, done, total } = progress
    if (label !== begun.label || done < begun.done) begun = { label, at, done }
    const isEnd = done === total
    if (!isEnd && at - lastAt < (process.stderr.isTTY ? 200 : 3_000)) return
    lastAt = at
    const text = progressText(progress, { done: done - begun.done, ms: at - begun.at })
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}${isEnd ? '\n' : ''}` : `${text}\n`)
  }
}

/** How far the work is, how fast it goes, and how long it will still take; `since` is what was done since it began. */
export function progressText({ label, done, total }: Progress, since: { done: number; ms: number }): string {
  const reached = total === null ? `${label}: ${done}` : `${label}: ${done} of ${total}`
  if (since.ms < ratedAfterMs || since.done <= 0) return reached
  const perMs = since.done / since.ms
  const rate = `${reached}, ${Math.round(perMs * 1_000)} a second`
  return total === null || done >= total ? rate : `${rate}, ${durationText((total - done) / perMs)} left`
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
