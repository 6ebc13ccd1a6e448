import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { askedBy } from './open-browser.ts'

export { openBrowser, openContext } from './open-browser.ts'

const require = createRequire(import.meta.url)

/**
 * Collects no HTML of checked elements: violations name their selectors. One rule looks at fewer elements: inline spacing violates it only
 * where it is `!important`, and it would read the text of every element with a style first, a quarter of the time.
 */
const axeSettings = `axe.configure({
  noHtml: true,
  rules: [{ id: 'avoid-inline-spacing', selector: '[style*="important"], [style*="IMPORTANT"]' }],
})`

/** Fourteen characters that are not Latin would double its bytes, and with them take a quarter of the time in which it loads. */
const inAscii = (source: string) =>
  source.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const axeSource = `${inAscii(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'))}
${axeSettings}`

/** In addition to Playwright's own. */
const sessions = new WeakMap<Page, CDPSession>()

/**
 * Colours of something fading are meaningless. Pages use reduced motion, so hardly anything fades; late content has arrived after a few
 * frames without movement.
 */
const stillness = `(async () => {
  for (let stillFrames = 0; stillFrames < 4; stillFrames += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const moving = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity)
    if (moving.length > 0) stillFrames = -1
    await Promise.allSettled(moving.map(({ finished }) => finished))
  }
})()`

/** Waits until nothing on the page moves. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(stillness)
}

/**
 * Whether the page shows something else than a few turns of its thread before, or that it waits; a table has skeletons below its first rows,
 * too. The thread is idle only once nothing is left to be drawn.
 */
const isChanging = `(async () => {
  let changes = 0
  const watching = new MutationObserver(() => { changes += 1 })
  watching.observe(document, { childList: true, subtree: true })
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => requestIdleCallback(resolve))
  }
  watching.disconnect()
  return changes > 0 || document.querySelector('.mantine-Skeleton-root:not(table *), [aria-busy=true]') !== null
})()`

/**
 * Waits until the page has all it asked for, and asks for nothing more. Half a second without requests says less: the thread of the page
 * may take longer to run what has come, and asks then.
 */
export async function untilLoaded(page: Page): Promise<void> {
  const asking = askedBy.get(page.context())
  if (asking === undefined) throw new Error('openContext opens the browser')
  await vi.waitFor(
    async () => {
      const before = asking.begun
      const isLoading = await page.evaluate<boolean>(isChanging)
      expect([isLoading, asking.begun - before, asking.underWay.size]).toEqual([false, 0, 0])
    },
    { timeout: 60_000, interval: 10 },
  )
}

/** Describes only failures, and skips re-reading style sheets, which no enabled rule needs: both together halve the time. */
const runAxe = `axe.run(document, { resultTypes: ['violations'], preload: false })`

type AxeResult = { violations: { id: string; help: string; nodes: { target: string[] }[] }[] }

/** Fails with every accessibility violation and its place. The page's own policy stays in force: axe runs as its own script. */
export async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page)
  if (await page.evaluate('typeof axe === "undefined"')) await loadAxe(page)
  const result = await page.evaluate<AxeResult>(runAxe)
  const found = result.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map((n) => n.target.join(' ')).join('; ')}`,
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}

/** As a script of the page: Playwright compiles evaluated code for each page, a script once per browser. */
async function loadAxe(page: Page): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: axeSource })
  if (exceptionDetails !== undefined) throw new Error(`axe did not load: ${exceptionDetails.text}`)
}
