import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { openScene, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
afterAll(() => scene.close(), 60_000)

type Style = Record<'borderTopWidth' | 'paddingLeft' | 'backgroundColor' | 'outlineStyle', string>

const styleOf = (selector: string): Promise<Style> =>
  page.evaluate<Style>(`(() => {
    const style = getComputedStyle(document.querySelector('${selector}'))
    const { borderTopWidth, paddingLeft, backgroundColor, outlineStyle } = style
    return { borderTopWidth, paddingLeft, backgroundColor, outlineStyle }
  })()`)

const chipSelector = '[role=group][aria-label=Filters] button'

/** The built style sheet holds Mantine's styles and ours in an order that the build chooses. */
it('a filter chip has a border, and another background while it is on', async () => {
  await page.goto(`${scene.service.baseUrl}/app/acme/families`)
  const chip = page.getByRole('group', { name: 'Filters' }).getByRole('button').first()
  await chip.waitFor()
  const off = await styleOf(chipSelector)
  expect(off).toMatchObject({ borderTopWidth: '1px', paddingLeft: '10px' })
  await chip.click()
  await page.mouse.move(0, 0)
  expect(await chip.getAttribute('aria-pressed')).toBe('true')
  const on = await styleOf(chipSelector)
  expect(on.borderTopWidth).toBe('1px')
  expect(on.backgroundColor).not.toBe(off.backgroundColor)
  await scene.picture('filter-chips')
})

it('a field that has the focus shows one mark of it', async () => {
  await page.goto(`${scene.service.baseUrl}/app/acme/families`)
  const search = page.getByRole('searchbox', { name: 'Search families' })
  await search.focus()
  expect((await styleOf('input[type=search]')).outlineStyle).toBe('none')
})
