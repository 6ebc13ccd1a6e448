import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { tarFiles } from '../test/support/tar-files.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
}, 240_000)
endAfterTests(() => scene)

it(
  'an owner confirms that it is them and saves the workspace as one archive',
  { timeout: 120_000 },
  async () => {
    const { page } = scene
    const { id } = await scene.sendSbom(sampleSbom)
    await scene.signIn(page, 'olga@acme.example')
    await page.goto(`${scene.service.baseUrl}/app/acme/settings/close`)
    await page.getByRole('heading', { name: 'Export the workspace' }).waitFor()
    await scene.look('export')
    await scene.store.query(`update session set confirmed_at = now() - interval '1 hour'`)
    await page.getByRole('button', { name: 'Export the workspace' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel(/password/i)
      .first()
      .fill('correct horse battery')
    await scene.picture('export-confirm', { whole: true })
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^acme-export-\d{4}-\d{2}-\d{2}\.tar\.gz$/)
    const files = tarFiles(gunzipSync(readFileSync(await download.path())))
    const sbom = [...files.keys()].find((name) => name.endsWith(`/${id}.json`)) ?? ''
    expect(files.get(sbom)?.toString()).toBe(sampleSbom)
    expect([...files.keys()].at(-1)).toBe('manifest.json')
  },
)
