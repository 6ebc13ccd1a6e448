import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { VexReceipt } from '../src/contract/vex/shapes.ts'
import { newKeyText } from '../src/platform/sealing/key-ring.ts'
import { readAs } from '../test/support/read-as.ts'
import { S3Server } from '../test/support/s3-server.ts'
import { sampleVex } from '../test/support/sample-vex.ts'
import { expectAccessible } from './support/browser.ts'
import { openScene, sampleSbom, type Scene } from './support/scene.ts'

const tooWidePx = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

let bucket: S3Server
let scene: Scene
let folder: string
let sbom: string
let document: string

beforeAll(async () => {
  bucket = await S3Server.start()
  folder = mkdtempSync(join(tmpdir(), 'object-store-'))
  scene = await openScene({ owner: 'Olga' }, bucket.env)
  sbom = (await scene.sendSbom(sampleSbom)).id
  const headers = { Authorization: `Bearer ${scene.uploadToken}` }
  const sent = await fetch(`${scene.service.baseUrl}/api/v1/vex`, { method: 'POST', headers, body: vex })
  document = readAs(VexReceipt, await sent.json()).id
  await scene.signIn(scene.page, 'olga@acme.example')
}, 240_000)
afterAll(async () => {
  await scene.close()
  await bucket.stop()
  rmSync(folder, { recursive: true })
}, 60_000)

const vex = sampleVex(1)
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** In both colour schemes, on desktop and phone; `show` opens what is checked. */
async function lookAll(name: string, show: () => Promise<Locator>): Promise<void> {
  const { page } = scene
  for (const colorScheme of ['dark', 'light'] as const) {
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      const shown = await show()
      await scene.picture(`${name}-${colorScheme}-${width}`)
      await expectAccessible(page)
      expect(await page.evaluate(tooWidePx), `${name}: too wide for ${width} px`).toBeLessThanOrEqual(0)
      expect((await shown.boundingBox())?.width).toBeGreaterThan(0)
    }
  }
}

it.each([
  ['SBOM', () => `sboms/${sbom}`, () => sampleSbom],
  ['VEX document', () => `vex/${document}`, () => Buffer.from(vex).toString()],
])(
  'a page says which original cannot be read while the object store is away: %s',
  async (name, path, sent) => {
    const { page } = scene
    await page.goto(`${scene.service.baseUrl}/app/acme/${path()}`)
    const download = page.getByRole('button', { name: 'Download' })
    await download.waitFor()
    bucket.fate = () => 503
    const words = `The original with the SHA-256 ${sha256(sent())} cannot be read now: the object store does not answer. Try again in 5 s.`
    await lookAll(`away-${name}`, async () => {
      // the earlier message is gone
      await page.reload()
      await download.click()
      const told = page.getByRole('alert').filter({ hasText: words }).last()
      await told.waitFor()
      return told
    })
    bucket.heal()
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
    expect(readFileSync(await file.path(), 'utf8')).toBe(sent())
    expect(file.suggestedFilename()).toMatch(/\.json$/)
  },
  120_000,
)

it('every page says that the workspace is being moved, and where it has moved to', async () => {
  const { page, service } = scene
  const dashboard = `${service.baseUrl}/app/acme`
  await service.cli(['workspace', 'freeze', 'acme'])
  await page.goto(dashboard)
  const banner = page.getByRole('status').filter({ hasText: 'to another installation' })
  await lookAll('moving', async () => {
    await banner.waitFor()
    return banner
  })
  await expect.poll(() => banner.textContent()).toContain('Read-only: the operator of this service is moving')
  writeFileSync(join(folder, 'move.key'), newKeyText())
  const archive = join(folder, 'acme.archive')
  await service.cli(['workspace', 'export', 'acme', '--to', archive, '--key', join(folder, 'move.key')])
  const words = ['workspace', 'redirect', 'acme', '--to', 'https://new.example.com']
  await service.cli(words)
  await page.reload()
  const moved = page.getByRole('status').filter({ hasText: 'has moved to https://new.example.com' })
  await lookAll('moved', async () => {
    await moved.waitFor()
    return moved
  })
  expect(await moved.getByRole('link').getAttribute('href')).toBe('https://new.example.com')
}, 120_000)
