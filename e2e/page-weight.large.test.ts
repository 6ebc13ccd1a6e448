import { beforeAll, expect, test } from 'vitest'
import { listIncidents, openIncident } from '../src/contract/incidents/operations.ts'
import { untilLoaded } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ owner: 'Ola' })
}, 240_000)
endAfterTests(() => scene)

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${scene.service.baseUrl}${path}`, { headers })

test('the page is asked for each time, its files once', async () => {
  const page = await ask('/app/acme/anything')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const again = await ask('/app/', { 'If-None-Match': page.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  const files = [...(await page.text()).matchAll(/"(\/app\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) {
    const tags = new Set<string | null>()
    for (const packing of ['br', 'gzip', 'identity']) {
      const { status, headers } = await ask(file, { 'Accept-Encoding': packing })
      expect([status, headers.get('content-encoding') ?? 'identity']).toEqual([200, packing])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
      tags.add(headers.get('etag'))
    }
    expect(tags.size).toBe(3)
  }
})

test('a file that is not there is 404, not the page, and nobody keeps it', async () => {
  const missing = await ask('/app/assets/index-gone.js')
  expect(missing.status).toBe(404)
  expect(missing.headers.get('cache-control') ?? '').not.toContain('immutable')
  expect(await missing.text()).not.toContain('<div id="root">')
})

test('the dashboard of a signed-in member takes at most 15 requests and 270 kB', async () => {
  const { page, signIn } = scene
  await signIn(page, 'ola@acme.example')
  expectLight(await weighDashboard())
})

test('so does the dashboard that shows six open incidents', async () => {
  const ola = await scene.elsewhere('ola@acme.example')
  await scene.sendSbom(sampleSbom)
  for (const title of ['Update server answered to strangers', 'Signing key read', 'Portal defaced']) {
    const body = { kind: 'severe_incident' as const, title, families: [] }
    await ola.call(openIncident, { body })
  }
  await expect
    .poll(async () => {
      const body = await ola.call(listIncidents)
      return body.rows.length
    })
    .toBe(6)
  const weight = await weighDashboard()
  const deadlines = scene.page.getByRole('table', { name: 'Deadlines' })
  await expect
    .poll(async () => new Set(await deadlines.getByText(/INC-\d{4}-\d{4}/).allInnerTexts()).size)
    .toBe(6)
  expectLight(weight)
})

type Weight = { asked: string[]; bytes: number }

/** Requests and compressed bytes of a browser with an empty cache. */
async function weighDashboard(): Promise<Weight> {
  const { page, service } = scene
  // late requests of the previous page do not count
  await untilLoaded(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const asked: string[] = []
  let bytes = 0
  session.on('Network.requestWillBeSent', ({ request }) => asked.push(new URL(request.url).pathname))
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.goto(`${service.baseUrl}/app/acme`)
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await untilLoaded(page)
  await session.detach()
  expect(asked).toContain('/app/acme')
  console.log(`dashboard: ${asked.length} requests, ${Math.round(bytes / 1000)} kB`)
  return { asked, bytes }
}

function expectLight({ asked, bytes }: Weight): void {
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(270_000)
}
