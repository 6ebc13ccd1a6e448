import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'

export { openBrowser, openContext } from './open-browser.ts'

const require = createRequire(import.meta.url)

/** Where the page breaks a rule is told by selectors alone: the HTML of every element that a rule looks at is work for nothing. */
const axeSource = `${readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')}
axe.configure({ noHtml: true })`

/** Beside Playwright's own. */
const sessions = new WeakMap<Page, CDPSession>()

/**
 * Colours of something that fades are nobody's choice. Pages are asked for without motion, so that hardly anything fades; what is drawn late
 * is there after a few frames in which nothing has moved.
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

/** Only what fails is described; style sheets are read again for no rule that is on: both together take half of the time. */
const runAxe = `axe.run(document, { resultTypes: ['violations'], preload: false })`

type AxeResult = { violations: { id: string; help: string; nodes: { target: string[] }[] }[] }

/** Fails with every accessibility rule the page breaks and where. The page's own policy stays in force: axe runs beside it. */
export async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page)
  if (await page.evaluate('typeof axe === "undefined"')) await loadAxe(page)
  const result = await page.evaluate<AxeResult>(runAxe)
  const found = result.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map((n) => n.target.join(' ')).join('; ')}`,
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}

/** As a script of the page: what Playwright evaluates is compiled again for each page, a script once as long as the browser lives. */
async function loadAxe(page: Page): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: axeSource })
  if (exceptionDetails !== undefined) throw new Error(`axe did not load: ${exceptionDetails.text}`)
}
