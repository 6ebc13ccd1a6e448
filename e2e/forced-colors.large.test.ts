import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { untilLoaded, untilStill } from './support/browser.ts'
import { openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
let sbom: string

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  sbom = (await scene.sendSbom(sampleSbom)).id
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
afterAll(() => scene.close(), 60_000)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await scene.picture(`failed ${task.name}`)
})

const open = async (path: string) => {
  await page.goto(`${scene.service.baseUrl}/app/acme${path}`)
  await untilLoaded(page)
}
const sidebar = () => page.getByRole('navigation', { name: 'Pages' })

describe('the page that is open is told to a screen reader', () => {
  /** Name and kind of every link that is told as the current one. */
  const current = (within: Locator) =>
    within
      .locator('a[aria-current]')
      .evaluateAll((links: { textContent: string; ariaCurrent: string }[]) =>
        links.map(({ textContent, ariaCurrent }) => [textContent, ariaCurrent]),
      )

  it.each([
    ['', [['Dashboard', 'page']]],
    ['/families', [['Families', 'page']]],
    ['/vulnerabilities/CVE-2021-44228', [['Vulnerabilities', 'true']]],
    ['/settings/tokens', [['Settings', 'true']]],
  ])('as that of %j, and no page above it', async (path, told) => {
    await open(path)
    expect(await current(sidebar())).toEqual(told)
    expect(await current(page.getByRole('navigation', { name: 'Breadcrumb' }))).toEqual([])
    expect(await current(page.getByRole('main').locator('h1, p, table'))).toEqual([])
  })
})

describe('where the system sets the colours', () => {
  /** The background that the system leaves: its own, unless it may not adjust it. */
  const looks = async (one: Locator) => {
    await untilStill(page)
    return one.evaluate((element: object) => {
      const { backgroundColor, forcedColorAdjust } = (
        globalThis as unknown as { getComputedStyle: (of: object) => Record<string, string> }
      ).getComputedStyle(element)
      return forcedColorAdjust === 'none' ? backgroundColor : 'of the system'
    })
  }
  const tab = (name: RegExp) => page.getByRole('tab', { name })
  const chip = (name: string) => page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })
  const box = (at: number) => page.getByRole('table').getByRole('checkbox').nth(at)

  type Pair = [chosen: Locator, other: Locator]
  const pairs: [string, string, () => Pair | Promise<Pair>][] = [
    [
      'the open page',
      '/families',
      () => [
        sidebar().getByRole('link', { name: 'Families' }),
        sidebar().getByRole('link', { name: 'Incidents' }),
      ],
    ],
    [
      'the open page of the settings',
      '/settings/tokens',
      () => [
        page.getByRole('link', { name: 'API tokens' }).last(),
        page.getByRole('link', { name: 'Dependency-Track' }),
      ],
    ],
    ['the chosen tab', '/sboms/', () => [tab(/^Findings/), tab(/^Components/)]],
    [
      'a filter that is on',
      '/sboms/',
      async () => {
        await chip('Critical').click()
        return [chip('Critical'), chip('High')]
      },
    ],
    [
      'a selected row',
      '/sboms/',
      async () => {
        await box(1).check()
        return [box(1), box(2)]
      },
    ],
    [
      'one of two choices',
      '/families/?tab=upload',
      () => [
        page.locator('label').filter({ hasText: /^SBOM$/ }),
        page.locator('label').filter({ hasText: /^VEX$/ }),
      ],
    ],
    [
      'a switch that is on',
      '/settings/sign-in',
      () => [page.locator('.mantine-Switch-track').first(), page.getByRole('main')],
    ],
  ]

  it.each(pairs)('%s is told apart', async (_what, path, find) => {
    await page.emulateMedia({ forcedColors: 'active' })
    const family = await scene.store.query<{ id: string }>('select id from family')
    await open(path.replace(/^\/sboms\/$/, `/sboms/${sbom}`).replace('/?', `/${family.rows[0]?.id ?? ''}?`))
    const [chosen, other] = await find()
    await page.mouse.move(0, 0)
    expect(await looks(chosen)).not.toBe(await looks(other))
  })
})
