import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Outcome } from '../outcome.ts'
import { watch } from './watched-page.ts'
import { writePayloads, type Target } from './write-payloads.ts'

/**
 * Payloads enter through uploads, vulnerability records, forms and settings; then a browser opens the pages that show them, for members and
 * for the public, and the HTML part of every message written meanwhile.
 */
export async function runXss(page: Page, place: Target): Promise<Outcome> {
  const visits = await writePayloads(place)
  const { baseUrl, payloads, owner } = place
  await page.goto(`${baseUrl}/app/sign-in`)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(owner.email)
  await page.getByLabel(/^Password/).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  const watched = await watch(page, { baseUrl, payloads })
  for (const { path, fields } of visits) await watched.look(path, fields)
  const mails = await writtenMails(place)
  for (const html of mails) await watched.lookAtMail(html, mailedFields)
  const fields = new Set(visits.flatMap((visit) => visit.fields)).size
  // a payload that is shown nowhere proves nothing
  const unseen = [
    ...seenInPages.filter((field) => !watched.wasSeen(field).inPage),
    ...mailedFields.filter((field) => !watched.wasSeen(field).inMail),
  ]
  return {
    figures: { payloads: payloads.length, fields, mails: mails.length, ...watched.figures() },
    failures: [...watched.failures, ...unseen.map((field) => `${field} was not seen`)],
  }
}

const seenInPages = [
  'component',
  'impact',
  'family',
  'incident',
  'title',
  'policy',
  'record',
  'nvd',
  'member',
  'owner',
]
const mailedFields = ['member', 'owner', 'mailed', 'company', 'token']
const patienceMs = 120_000

/** The HTML part of each message, once none is pending, nor a job that may write another one. */
async function writtenMails({ query }: Target): Promise<string[]> {
  const until = performance.now() + patienceMs
  for (;;) {
    const jobs = await query(
      `select id from job where state in ('waiting', 'running') and run_at <= now() limit 1`,
    )
    const rows = await query('select state, html from mail order by created_at, id')
    if (jobs.length === 0 && !rows.some(({ state }) => state === 'waiting' || state === 'sending'))
      return rows.flatMap(({ html }) => (typeof html === 'string' ? [html] : []))
    if (performance.now() > until) throw new Error('messages wait to be written')
    await sleep(100)
  }
}
