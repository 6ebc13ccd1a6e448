import type { Page } from 'playwright-core'

/** What has the focus, when something else lies over the whole of its middle line; undefined when it is seen. */
const coveredStop = `(() => {
  const stop = document.activeElement
  // past the last one, before the first
  if (stop === document.body) return undefined
  const { left, right, top, bottom } = stop.getBoundingClientRect()
  const y = Math.min((top + bottom) / 2, innerHeight - 1)
  const places = [0.1, 0.5, 0.9].map((share) => document.elementFromPoint(left + (right - left) * share, y))
  const isSeen = places.some((at) => at !== null && (stop.contains(at) || at.contains(stop)))
  return isSeen ? undefined : (stop.ariaLabel ?? stop.labels?.[0]?.textContent ?? stop.textContent)
})()`

/** Goes on with Tab this many times; returns each stop that a bar covers. */
export async function coveredStops(page: Page, steps: number): Promise<string[]> {
  const covered: string[] = []
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate<string | undefined>(coveredStop)
    if (name !== undefined) covered.push(name)
  }
  return covered
}
