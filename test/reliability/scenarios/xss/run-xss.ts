import type { Page } from 'playwright-core'
import type { Outcome } from '../outcome.ts'
import { watch } from './watched-page.ts'
import { writePayloads, type Place } from './write-payloads.ts'

/** Payloads come in by uploads, forms and settings; then a browser opens what shows them, for members and for everybody. */
export async function runXss(page: Page, place: Place): Promise<Outcome> {
  const visits = await writePayloads(place)
  const { baseUrl, payloads, owner } = place
  await page.goto(`${baseUrl}/app/sign-in`)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(owner.email)
  await page.getByLabel(/^Password/).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  const watched = await watch(page, { baseUrl, payloads })
  for (const { path, fields } of visits) await watched.look(path, fields)
  const fields = new Set(visits.flatMap((visit) => visit.fields)).size
  return { figures: { payloads: payloads.length, fields, ...watched.figures() }, failures: watched.failures }
}
