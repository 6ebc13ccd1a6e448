import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { addDomain, beginCompanySignIn, setIssuer } from '../src/contract/people/operations/sign-in.ts'
import { fieldOf } from '../test/support/read-as.ts'
import { startIssuer } from '../test/sign-in/stand-in-issuer.ts'
import { openScene, type Scene } from './support/scene.ts'

const host = '127.0.0.1'
const limit = { timeout: 180_000 }

let scene: Scene
let issuer: Awaited<ReturnType<typeof startIssuer>>
let page: Page
/** The issuer's claims about the person. */
let claims: Record<string, unknown> = { sub: 'vera-1', email: 'vera@acme.example' }

beforeAll(async () => {
  issuer = await startIssuer(host)
  scene = await openScene(
    { owner: 'Olga', viewer: 'Vera' },
    { OUTBOUND_ALLOWED_HOSTS: `issuers=${issuer.issuer}` },
  )
  await scene.signIn(scene.page, 'olga@acme.example')
  const olga = await scene.elsewhere('olga@acme.example')
  await olga.call(setIssuer, {
    body: { issuer: issuer.issuer, clientId: 'monitor', clientSecret: null },
  })
  await olga.call(addDomain, { body: { domain: 'acme.example' } })
  // A test has no name server to publish the record on.
  await scene.store.query('update workspace_domain set verified_at = now()')
  page = scene.page
  await page.context().clearCookies()
  // The person's step at the issuer is immediate.
  await page.route(`${issuer.issuer}/authorize?*`, (route) => {
    issuer.set({ claims }, new Date())
    const back = issuer.visit(route.request().url())
    const body = `<title>Issuer</title><script>location.replace(${JSON.stringify(back)})</script>`
    return route.fulfill({ contentType: 'text/html', body })
  })
}, 300_000)
afterAll(async () => {
  await scene.close()
  await issuer.stop()
}, 60_000)

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await scene.picture(`failed ${task.name}`)
})

const pathOf = () => new URL(page.url()).pathname + new URL(page.url()).search

it('leads to the company from the sign-in page, and opens the page that was asked for', limit, async () => {
  await page.goto(`${scene.service.baseUrl}/app/acme/components?search=log4j`)
  await page.getByRole('button', { name: 'Sign in with your company' }).click()
  await page.getByRole('textbox', { name: /^E-mail at your company/ }).fill('vera@acme.example')
  await scene.look('company-begin')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Components', level: 1 }).waitFor()
  expect(pathOf()).toBe('/app/acme/components?search=log4j')
  await page.context().clearCookies()
})

it('leads a member with a password there where the workspace asks for it', limit, async () => {
  await scene.signIn(page, 'vera@acme.example')
  await scene.store.query('update workspace set requires_single_sign_on = true')
  await page.goto(`${scene.service.baseUrl}/app/acme/families?archived=true`)
  await page.getByRole('heading', { name: 'Sign in with your company', level: 1 }).waitFor()
  await scene.look('company-required')
  await page.getByRole('button', { name: 'Sign in with your company' }).click()
  await page.getByRole('heading', { name: 'Families', level: 1 }).waitFor()
  expect(pathOf()).toBe('/app/acme/families?archived=true')
})

it('goes nowhere but to pages of the application afterwards', limit, async () => {
  for (const foreign of ['//evil.example', 'https://evil.example/', '/\\evil.example']) {
    await page.evaluate(`sessionStorage.setItem('after-company-sign-in', ${JSON.stringify(foreign)})`)
    const begun = await page.request.post(scene.service.baseUrl + beginCompanySignIn.path, {
      data: { workspace: 'acme' },
      headers: { origin: scene.service.baseUrl },
    })
    await page.goto(String(fieldOf(await begun.json(), 'url')))
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    expect(new URL(page.url()).origin).toBe(scene.service.baseUrl)
  }
})

it('confirms a dangerous act with the company, and comes back to the page of the act', limit, async () => {
  await scene.store.query(
    `update member set role = 'owner' where person_id = (select id from person where email = 'vera@acme.example')`,
  )
  await scene.store.query(`update session set confirmed_at = now() - interval '1 hour'`)
  await page.goto(`${scene.service.baseUrl}/app/acme/settings/sign-in`)
  await page.getByRole('textbox', { name: /^Domain/ }).fill('other.example')
  await page.getByRole('button', { name: 'Add the domain' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Confirm with your company' }).waitFor()
  await scene.look('company-confirmation')
  await Promise.all([
    page.waitForURL('**/app/sign-in/company/*?**'),
    dialog.getByRole('button', { name: 'Confirm with your company' }).click(),
  ])
  await page.waitForURL('**/app/acme/settings/sign-in')
  await page.getByRole('textbox', { name: /^Domain/ }).fill('other.example')
  await page.getByRole('button', { name: 'Add the domain' }).click()
  await page.getByText('_sbom-monitor.other.example').waitFor()
})

it('says what to do when the issuer does not answer as it should', limit, async () => {
  await page.context().clearCookies()
  issuer.set({}, new Date())
  await page.goto(`${scene.service.baseUrl}/app/sign-in`)
  await page.getByRole('button', { name: 'Sign in with your company' }).click()
  await page.getByRole('textbox', { name: /^E-mail at your company/ }).fill('vera@acme.example')
  claims = { sub: 'vera-1', nonce: 'of another sign-in' }
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/^The sign-in service of your company could not be reached, or its answer/).waitFor()
  await page.getByText(/tell whoever runs the sign-in of your company/).waitFor()
  await scene.look('company-failed')
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
})
