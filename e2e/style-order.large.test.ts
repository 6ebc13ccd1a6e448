import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
endAfterTests(() => scene)

type Style = Record<'borderTopWidth' | 'paddingLeft' | 'backgroundColor' | 'outlineStyle', string>

const styleOf = (selector: string): Promise<Style> =>
  page.evaluate<Style>(`(() => {
    const style = getComputedStyle(document.querySelector('${selector}'))
    const { borderTopWidth, paddingLeft, backgroundColor, outlineStyle } = style
    return { borderTopWidth, paddingLeft, backgroundColor, outlineStyle }
  })()`)

const colourOf = (selector: string, property: 'borderTopColor' | 'outlineColor') =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`)

const chipSelector = '[role=group][aria-label=Filters] button'

/** The build decides the order of Mantine's styles and ours in the style sheet. */
it('a filter chip has a border, and another background while it is on', async () => {
  await page.goto(`${scene.service.baseUrl}/app/acme/families`)
  const chip = page.getByRole('group', { name: 'Filters' }).getByRole('button').first()
  await chip.waitFor()
  const off = await styleOf(chipSelector)
  expect(off).toMatchObject({ borderTopWidth: '1px', paddingLeft: '10px' })
  await chip.click()
  await page.mouse.move(0, 0)
  await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true')
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

it('the mark of the focus is as bright on buttons and fields as on links, in the dark', async () => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${scene.service.baseUrl}/app/acme/families`)
  const search = page.getByRole('searchbox', { name: 'Search families' })
  await search.focus()
  const bright = 'rgb(116, 143, 252)'
  await expect.poll(() => colourOf('input[type=search]', 'borderTopColor')).toBe(bright)
  // by the keyboard, as its mark shows then alone
  await page.keyboard.press('Tab')
  await expect.poll(() => colourOf(':focus', 'outlineColor')).toBe(bright)
  await page.emulateMedia({ colorScheme: 'light' })
})

const assets = join(import.meta.dirname, '../web/dist/assets')
const built = (ending: string) =>
  readdirSync(assets)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(assets, name), 'utf8'))
    .join('\n')
/** Mantine's class names are m_ and a hash. */
const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g))

it('every component of Mantine that is used has its styles', () => {
  const whole = createRequire(import.meta.url).resolve('@mantine/core/styles.layer.css')
  const styled = classesIn(readFileSync(whole, 'utf8'))
  const loaded = classesIn(built('.css'))
  const used = [...classesIn(built('.js'))].filter((name) => styled.has(name))
  expect(used.length).toBeGreaterThan(100)
  expect(
    used.filter((name) => !loaded.has(name)),
    'web/mantine-styles.ts lacks a component',
  ).toEqual([])
})
