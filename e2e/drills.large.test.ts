import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { listIncidents } from '../src/contract/incidents/operations.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { rowWith } from './support/rows.ts'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
let olga: AppSession

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  olga = await scene.elsewhere('olga@acme.example')
  await scene.signIn(page, 'olga@acme.example')
}, 240_000)
endAfterTests(() => scene)

it('a drill started from the dashboard is one: its dialog cannot open a real incident', async () => {
  await page.getByRole('link', { name: 'Start a drill' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start a drill' })
  const box = dialog.getByRole('checkbox', { name: /^A drill/ })
  await expect.poll(() => box.isChecked()).toBe(true)
  expect(await box.isDisabled()).toBe(true)
  await scene.look('d1-start')
  await dialog.getByRole('radio', { name: /^A severe incident/ }).click()
  await dialog.getByRole('textbox', { name: /^Title/ }).fill('Update server taken over')
  await dialog.getByRole('button', { name: 'Start drill' }).click()
  await page.getByRole('heading', { level: 1, name: /Update server taken over/ }).waitFor()
  await page.getByText('The drill has begun. Its clocks run.').waitFor()
  const { rows } = await olga.call(listIncidents)
  expect(rows.map(({ title, isExercise }) => [title, isExercise])).toEqual([
    ['Update server taken over', true],
  ])
})

it('keeps the focus on the page when what had it is gone', async () => {
  // and shows it on the screen
  const hasFocus = () =>
    page.evaluate<string>(`(() => {
      const focused = document.activeElement
      const { top, bottom } = focused.getBoundingClientRect()
      if (focused.closest('main') === null || !document.hasFocus()) return 'not on the page'
      if (top > innerHeight || bottom < 0) return 'off the screen'
      return getComputedStyle(focused).outlineStyle === 'none' ? 'not marked: ' + focused.tagName : 'seen'
    })()`)
  const press = async (name: string) => {
    const button = page.getByRole('button', { name })
    await button.focus()
    await page.keyboard.press('Enter')
    return button
  }
  await press('Take it')
  await page.getByText('Who takes this?').waitFor({ state: 'detached' })
  await expect.poll(hasFocus).toBe('seen')
  await press('Record determination')
  const record = page.getByRole('dialog', { name: /^Determination on/ })
  await record.getByRole('radio', { name: /^Not severe/ }).click()
  await record.getByRole('textbox', { name: /^Why/ }).fill('Nothing was reached in this exercise.')
  await record.getByRole('button', { name: 'Record determination' }).press('Enter')
  await record.waitFor({ state: 'detached' })
  const withdraw = page.getByRole('button', { name: 'Withdraw' })
  await withdraw.waitFor()
  await expect.poll(hasFocus).toBe('seen')
  await press('Withdraw')
  await withdraw.waitFor({ state: 'detached' })
  await expect.poll(hasFocus).toBe('seen')
})

it('is marked where it is listed, tells nobody, and its evidence says what it is', async () => {
  await page.getByRole('button', { name: 'More' }).click()
  const [print] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('menuitem', { name: 'Page to print' }).click(),
  ])
  await print.getByText('Exercise. Nothing in this file happened.').waitFor()
  await print.close()
  const told = `select (select count(*)::int from mail where fact::text like '%Update server%') as mails,
    (select count(*)::int from bell_entry where fact::text like '%Update server%') as entries`
  expect((await scene.store.query(told)).rows).toEqual([{ mails: 0, entries: 0 }])
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Incidents' }).click()
  await rowWith(page, /Update server taken over/)
    .getByText('drill', { exact: true })
    .waitFor()
  await page.goto(`${scene.service.baseUrl}/app/acme`)
  await page.getByText(/^The last drill was on/).waitFor()
  expect(await page.getByRole('link', { name: 'Start a drill' }).count()).toBe(0)
})
