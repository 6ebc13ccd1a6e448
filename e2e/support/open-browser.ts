import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Request } from 'playwright-core'
import { keptFolder } from '../../test/support/run-folder.ts'
import { createRunFolder } from '../../test/support/test-server.ts'

const require = createRequire(import.meta.url)

/** The package unpacks the browser to a fixed path below the temporary folder: a folder per user and version keeps users apart. */
async function executable(): Promise<{ path: string; args: string[] }> {
  const given = process.env['CHROME_PATH']
  if (given !== undefined && given !== '') return { path: given, args: [] }
  const { version } = JSON.parse(
    readFileSync(join(require.resolve('@sparticuz/chromium'), '../../package.json'), 'utf8'),
  ) as { version: string }
  const folder = join(keptFolder(), `chromium-${userInfo().uid}-${version}`)
  const path = join(folder, 'chromium')
  const { default: packed } = await import('@sparticuz/chromium')
  if (!existsSync(path)) await unpackInto(folder, () => packed.executablePath())
  return { path, args: packed.args }
}

/** Several processes may unpack at once: each uses a folder of its own run, and the first one's is moved into place as a whole. */
async function unpackInto(folder: string, unpack: () => Promise<string>): Promise<void> {
  const own = await createRunFolder(keptFolder())
  const ofRun = process.env['TMPDIR']
  process.env['TMPDIR'] = own
  try {
    await unpack()
    renameSync(own, folder)
  } catch (error) {
    if (!existsSync(join(folder, 'chromium'))) throw error
  } finally {
    if (ofRun === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = ofRun
    rmSync(own, { recursive: true, force: true })
  }
}

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages live for seconds: optimising compilers cost more than they save.
  '--js-flags=--no-maglev --no-turbofan',
]

/** Renders almost no pixels, because nobody looks: layout, hit testing and axe do not need them. */
const blind = ['--force-gpu-mem-available-mb=1']

const takesPictures = ['SCREENSHOTS', 'DOCS_PICTURES'].some((name) => process.env[name] !== undefined)

export async function openBrowser(): Promise<Browser> {
  const { path, args } = await executable()
  return chromium.launch({
    executablePath: path,
    args: [...args, ...quiet, ...(takesPictures ? [] : blind)],
    headless: true,
  })
}

/** After this time a step fails and names itself. */
const stepMs = 60_000

type Asking = { begun: number; underWay: Set<Request> }

/** What the pages of a browser have asked for. */
export const askedBy = new WeakMap<BrowserContext, Asking>()

/** A person's browser: zone and language pinned. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    viewport: { width: 1440, height: 900 },
    // A dialog sliding in on a slow machine would move under the pointer and make clicks miss.
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(stepMs)
  const asking: Asking = { begun: 0, underWay: new Set() }
  askedBy.set(context, asking)
  context.on('request', (request) => {
    asking.begun += 1
    asking.underWay.add(request)
  })
  const end = (request: Request) => asking.underWay.delete(request)
  context.on('requestfinished', end)
  context.on('requestfailed', end)
  return context
}
