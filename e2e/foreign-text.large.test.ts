import { beforeAll, expect, it, vi } from 'vitest'
import { listIncidents } from '../src/contract/incidents/operations.ts'
import { expectAccessible, untilLoaded, untilStill } from './support/browser.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'
import { listIn, objectIn } from '../test/support/read-as.ts'

const longVersion = '2.14.1-build.20251122.1234567+git.0123456789abcdef'
const hidden = 'evil\u202Egpj.exe\u200B'

let scene: Scene
let sbomId: string

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  const sbom = objectIn(sampleSbom)
  listIn(sbom, 'components').push(
    { type: 'library', name: hidden, version: '1.0', 'bom-ref': 'hidden' },
    { type: 'library', name: 'a-component-of-a-long-name', version: longVersion, 'bom-ref': 'long' },
  )
  sbomId = (await scene.sendSbom(JSON.stringify(sbom))).id
  await scene.signIn(scene.page, 'olga@acme.example')
}, 300_000)
endAfterTests(() => scene)

const open = (path: string) => scene.page.goto(`${scene.service.baseUrl}/app/acme${path}`)

it('shows characters that hide, and keeps their effect inside the name', async () => {
  const { page } = scene
  await open(`/sboms/${sbomId}?tab=components&search=evil`)
  const name = page.getByText('evil[U+202E]gpj.exe[U+200B]')
  await name.waitFor()
  expect(await name.evaluate((element: { tagName: string }) => element.tagName)).toBe('BDI')
})

it('refuses them in a name that a person types', async () => {
  const { page } = scene
  await open('/families')
  await page.getByRole('button', { name: 'Create family' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Pump\u202Etxt')
  await dialog.getByRole('button', { name: 'Create family' }).click()
  await dialog.getByText('It contains an invisible character (U+202E).').waitFor()
  await page.keyboard.press('Escape')
})

it.each([1280, 360])('keeps a long version on one line, and copies it whole, at %i px', async (width) => {
  const { page } = scene
  await page.setViewportSize({ width, height: 900 })
  await open(`/sboms/${sbomId}?tab=components&search=a-component`)
  const cell = page.getByRole('cell', { name: longVersion })
  await cell.waitFor()
  const [shown, needed] = await cell.evaluate(
    (element: { clientHeight: number; clientWidth: number; scrollHeight: number; scrollWidth: number }) => [
      [element.clientWidth, element.clientHeight],
      [element.scrollWidth, element.scrollHeight],
    ],
  )
  expect(shown).toEqual(needed)
  const copied = await cell.evaluate((element: { firstElementChild: unknown }) => {
    const { getSelection } = globalThis as unknown as {
      getSelection: () => {
        selectAllChildren: (node: unknown) => void
        removeAllRanges: () => void
        toString: () => string
      }
    }
    getSelection().selectAllChildren(element.firstElementChild)
    const text = getSelection().toString()
    getSelection().removeAllRanges()
    return text
  })
  expect(copied.trim()).toBe(longVersion)
  await expectAccessible(page)
  await scene.picture(`versions-${width}`)
  await open('/components')
  await rowWith(page, /log4j-core/).waitFor()
  await scene.picture(`components-${width}`)
})

it('finds Maven coordinates in the search of the top bar, of the components of all products and of one SBOM, of findings and of vulnerabilities', async () => {
  const { page } = scene
  await page.setViewportSize({ width: 1280, height: 900 })
  const coordinates = 'org.apache.logging.log4j:log4j-core'
  await open(`/components?search=${coordinates}`)
  await rowWith(page, /log4j-core/).waitFor()
  await open(`/sboms/${sbomId}?tab=components&search=${coordinates}`)
  await rowWith(page, /log4j-core/).waitFor()
  await open(`/sboms/${sbomId}?search=${coordinates}`)
  await rowWith(page, /CVE-2021-44228/).waitFor()
  await scene.picture('findings-1280')
  await open(`/vulnerabilities?search=${coordinates}`)
  await rowWith(page, /CVE-2021-44228/).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search the workspace' }).fill(coordinates)
  await page.getByRole('option', { name: /^log4j-core/ }).waitFor()
  await page.keyboard.press('Escape')
})

it('prints the evidence of a finding alone, with the addresses of its links', async () => {
  const { page } = scene
  await open(`/sboms/${sbomId}`)
  await rowWith(page, /CVE-2021-44228/).click()
  await page.getByRole('link', { name: 'Open as a page' }).click()
  await page.getByRole('heading', { name: 'CVE-2021-44228', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Records' }).waitFor()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.getByRole('navigation').count()).toBe(0)
  expect(await page.getByRole('button').count()).toBe(0)
  const link = page.getByRole('region', { name: 'Records' }).getByRole('link').first()
  const address = await link.evaluate((element) => {
    const { getComputedStyle } = globalThis as unknown as {
      getComputedStyle: (element: unknown, part: string) => { content: string }
    }
    return getComputedStyle(element, '::after').content
  })
  expect(address).toContain('http')
  expect(await link.isVisible(), 'what the screen folds away').toBe(true)
  const [ink, paper] = await page.evaluate<string[]>(
    '[getComputedStyle(document.querySelector("main h1")).color, getComputedStyle(document.body).backgroundColor]',
  )
  expect([ink, paper]).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
  await scene.picture('print', { whole: true })
  await page.emulateMedia({ media: null, colorScheme: null })
})

it('prints the same colours from a dark screen as from a light one', async () => {
  const { page } = scene
  const schemeOnScreen = () => page.evaluate('document.documentElement.dataset.mantineColorScheme')
  const colours = `[...document.querySelectorAll('main, main *')]
    .filter((one) => one.getClientRects().length > 0)
    .map((one) => {
      const { color, backgroundColor, borderTopColor, fill } = getComputedStyle(one)
      return [one.localName, color, backgroundColor, borderTopColor, fill].join(' ')
    })`
  for (const [path, title] of [
    [`/sboms/${sbomId}`, /Pump/],
    ['', 'Dashboard'],
  ] as const) {
    await open(path)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await untilLoaded(page)
    const printed: string[][] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ media: 'screen', colorScheme })
      await expect.poll(schemeOnScreen).toBe(colorScheme)
      await page.emulateMedia({ media: 'print', colorScheme })
      await untilStill(page)
      printed.push(await page.evaluate<string[]>(colours))
    }
    expect(printed[1]).toEqual(printed[0])
  }
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await expect.poll(schemeOnScreen).toBe('dark')
  await page.emulateMedia({ media: null, colorScheme: null })
})

it('prints the evidence of an incident on paper with every column, however long the version', async () => {
  const { page } = scene
  const sbom = objectIn(sampleSbom)
  const version = 'w'.repeat(100)
  sbom['metadata'] = { component: { type: 'application', name: 'Pump', version } }
  await scene.sendSbom(JSON.stringify(sbom))
  const session = await scene.elsewhere('olga@acme.example')
  const incident = await vi.waitFor(
    async () => {
      const { rows } = await session.call(listIncidents)
      const found = rows.find(({ vulnKey }) => vulnKey === 'CVE-2021-44228')
      expect(found).toBeDefined()
      return found?.id ?? ''
    },
    { timeout: 60_000, interval: 300 },
  )
  const evidence = `${scene.service.baseUrl}/api/app/workspaces/acme/incidents/${incident}/evidence.html`
  // A document that does not change by itself, of an incident that other versions opened: this one joins it in the background.
  await vi.waitFor(
    async () => {
      await page.goto(evidence)
      expect(await page.getByRole('cell', { name: version }).count()).toBeGreaterThan(0)
    },
    { timeout: 60_000, interval: 300 },
  )
  // A4 between its margins
  await page.setViewportSize({ width: 672, height: 1_000 })
  await page.emulateMedia({ media: 'print' })
  const widths = '[...document.querySelectorAll("table")].map((table) => table.getBoundingClientRect().width)'
  for (const width of await page.evaluate<number[]>(widths)) expect(width).toBeLessThanOrEqual(672)
  await scene.picture('evidence-print', { whole: true })
  await page.emulateMedia({ media: null })
  await page.setViewportSize({ width: 1280, height: 900 })
})
