/** Progress of long work for people: one line rewritten on a terminal, a line every few seconds elsewhere. */
export function progressLine(): (progress: { label: string; done: number; total: number | null }) => void {
  let lastAt = 0
  return ({ label, done, total }) => {
    const at = performance.now()
    const isEnd = done === total
    if (!isEnd && at - lastAt < (process.stderr.isTTY ? 200 : 3_000)) return
    lastAt = at
    const text = total === null ? `${label}: ${done}` : `${label}: ${done} of ${total}`
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}${isEnd ? '\n' : ''}` : `${text}\n`)
  }
}
