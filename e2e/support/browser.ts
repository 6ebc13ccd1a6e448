import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { keptFolder } from '../../test/support/run-folder.ts'

const require = createRequire(import.meta.url)

/** The package's browser unpacks to a fixed path below the temporary folder: one folder per user and version keeps users apart. */
async function executable(): Promise<{ path: string; args: string[] }> {
  const given = process.env['CHROME_PATH']
  if (given !== undefined && given !== '') return { path: given, args: [] }
  const { version } = JSON.parse(
    readFileSync(join(require.resolve('@sparticuz/chromium'), '../../package.json'), 'utf8'),
  ) as { version: string }
  const folder = join(keptFolder(), `chromium-${userInfo().uid}-${version}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ofRun = tmpdir()
  process.env['TMPDIR'] = folder
  const { default: packed } = await import('@sparticuz/chromium')
  const path = await packed.executablePath()
  process.env['TMPDIR'] = ofRun
  return { path, args: packed.args }
}

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function openBrowser(): Promise<Browser> {
  const { path, args } = await executable()
  return chromium.launch({ executablePath: path, args: [...args, ...quiet], headless: true })
}

/** How long a step may take before the test says which one it was. */
const stepMs = 60_000

/** A person's browser: zone and language pinned. */
export async function openContext(
  browser: Browser,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<BrowserContext> {
  const context = await browser.newContext({
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    viewport: { width: 1440, height: 900 },
  })
  context.setDefaultTimeout(stepMs)
  return context
}

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Colours of something that fades are nobody's choice. A drawer that opens is drawn a few frames before it begins to fade in, so a page
 * is still only when nothing has moved for some frames.
 */
const untilStill = `(async () => {
  for (let stillFrames = 0; stillFrames < 10; stillFrames += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const moving = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity)
    if (moving.length > 0) stillFrames = -1
    await Promise.allSettled(moving.map(({ finished }) => finished))
  }
})()`

type AxeResult = { violations: { id: string; help: string; nodes: { target: string[] }[] }[] }

/** Fails with every accessibility rule the page breaks and where. The page's own policy stays in force: axe runs beside it. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(untilStill)
  await page.evaluate(axeSource)
  const result = await page.evaluate<AxeResult>('axe.run(document)')
  const found = result.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map((n) => n.target.join(' ')).join('; ')}`,
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}
