import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import type { Role } from '../../src/contract/roles.ts'
import type { Db } from '../../src/database/connection.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { provision } from '../../src/provision/provision.ts'
import { AppSession } from '../../test/support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { startInnerService, type InnerService } from '../../test/support/inner-service.ts'
import { importDeps } from '../../test/vulndata/support.ts'
import { expectAccessible, openBrowser, openContext } from './browser.ts'
import { quickHash } from '../../test/support/quick-hash.ts'
import { readAs } from '../../test/support/read-as.ts'

const demo = join(import.meta.dirname, '../../demo')
/** SCREENSHOTS=folder keeps a picture of every step. */
const pictures = process.env['SCREENSHOTS']
const password = 'correct horse battery'

/** One key for every scene: its external database has none. */
const sealing = { ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64') }

/** The service with the workspace `acme`, its family `Pump`, the demo's data, and a browser. */
export type Scene = {
  service: InnerService
  /** URL of the store, for a second process of the service on it. */
  storeUrl: string
  store: TestDatabase['pool']
  page: Page
  /** The family's token. */
  uploadToken: string
  /** Sends a file as a pipeline does; resolves when its findings are known, and all that follows from them is done in the background. */
  sendSbom: (body: string) => Promise<SbomReceipt>
  signIn: (on: Page, email: string) => Promise<void>
  /** The same person in another browser, without pages. */
  elsewhere: (email: string) => Promise<AppSession>
  /** Of the scene's own page, or of another one. */
  picture: (name: string, how?: { whole: boolean; on?: Page }) => Promise<void>
  /**
   * Fails unless the page, or another one, is accessible and no wider than the screen: light on desktop, and dark on a phone. Keeps
   * pictures of both; restores light mode and the former width.
   */
  look: (name: string, how?: { on?: Page; whole?: boolean }) => Promise<void>
  close: () => Promise<void>
}

/** Light on desktop comes last: the tests continue with it. */
const looks = [
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 1280 },
] as const
const tooWidePx = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** The demo's upload: the SBOM of a pump controller 2.4.1. */
export const sampleSbom = readFileSync(join(demo, 'sample.cdx.json'), 'utf8')

export async function openScene(
  members: Partial<Record<Role, string>>,
  env: Record<string, string> = {},
): Promise<Scene> {
  const store = await createTestDatabase()
  for (const file of ['vulnerabilities.ndjson', 'kev.json']) {
    const order = { from: join(demo, file), isComplete: true, now: new Date() }
    await importVulnerabilityData(importDeps(store.db), order)
  }
  const uploadToken = await provisionAcme(store.db, members)
  const service = await startInnerService({ DATABASE_URL: store.url, ...sealing, ...env })
  const browser = await openBrowser()
  const page = await (await openContext(browser)).newPage()

  /** Each job enqueues the next with its own end: incidents, notices and mails come after the findings. */
  async function untilWorkedOff(sbomId: string): Promise<void> {
    const question = `select status, (
        select count(*)::int from job where state in ('waiting', 'running') and run_at <= now()
      ) as jobs from sbom where id = $1`
    await vi.waitFor(
      async () => {
        const { rows } = await store.pool.query<{ status: string; jobs: number }>(question, [sbomId])
        expect(rows).toEqual([{ status: 'matched', jobs: 0 }])
      },
      { timeout: 120_000, interval: 100 },
    )
  }

  const picture: Scene['picture'] = async (name, { whole, on = page } = { whole: false }) => {
    if (pictures === undefined) return
    mkdirSync(pictures, { recursive: true })
    await on.screenshot({ path: join(pictures, `${name}.png`), fullPage: whole })
  }

  return {
    service,
    storeUrl: store.url,
    store: store.pool,
    page,
    uploadToken,
    sendSbom: async (body) => {
      const headers = { Authorization: `Bearer ${uploadToken}` }
      const answer = await fetch(`${service.baseUrl}/api/v1/sboms`, { method: 'POST', headers, body })
      const receipt = readAs(SbomReceipt, await answer.json())
      await untilWorkedOff(receipt.id)
      return receipt
    },
    signIn: async (on, email) => {
      await on.goto(`${service.baseUrl}/app/sign-in`)
      await on.getByRole('textbox', { name: 'E-mail' }).fill(email)
      await on.getByLabel(/^Password/).fill(password)
      await on.getByRole('button', { name: 'Sign in', exact: true }).click()
      await on.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    },
    elsewhere: (email) => AppSession.signIn(service.baseUrl, { email, password }),
    picture,
    look: async (name, { on = page, whole = true } = {}) => {
      const before = on.viewportSize()
      for (const { colorScheme, width } of looks) {
        await on.emulateMedia({ colorScheme })
        await on.setViewportSize({ width, height: 900 })
        await expectAccessible(on)
        await picture(`${name}-${colorScheme}-${width}`, { whole, on })
        expect(await on.evaluate(tooWidePx), `${name}: too wide for ${width} px`).toBeLessThanOrEqual(0)
      }
      if (before !== null) await on.setViewportSize(before)
    },
    close: async () => {
      await browser.close()
      await service.stop()
      await store.drop()
    },
  }
}

/** For a test file: a picture of where a test fails, and the scene closed after the last one. */
export function endAfterTests(scene: () => Scene): void {
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await scene().picture(`failed ${task.name}`)
  })
  afterAll(() => scene().close(), 120_000)
}

async function provisionAcme(db: Db, members: Partial<Record<Role, string>>): Promise<string> {
  const document = {
    workspaces: [
      {
        slug: 'acme',
        companyName: 'Acme',
        securityContactEmail: 'security@acme.example',
        plan: 'core',
        members: Object.entries(members).map(([role, name]) => ({
          email: `${name.toLowerCase()}@acme.example`,
          name,
          role,
          password,
        })),
        families: [{ name: 'Pump', tokens: [{ name: 'ci', kind: 'upload' }] }],
      },
    ],
  }
  const { workspaces } = await provision(db, document, new Date(), { hash: quickHash })
  return workspaces[0]?.families?.[0]?.tokens?.[0]?.token ?? ''
}
