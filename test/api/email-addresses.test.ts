import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailAddressProblem } from '../../src/contract/people/email-address.ts'
import type { Role } from '../../src/contract/roles.ts'
import { changeCompany, getCompany } from '../../src/contract/workspace/company-operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { changeDisclosureSettings } from '../../src/contract/disclosure/operations.ts'
import { provision } from '../../src/provision/provision.ts'
import { openDisclosureScene, type DisclosureScene } from '../disclosure/disclosure-scene.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { refusalIn } from '../support/read-as.ts'

/** One rule for e-mail addresses at every endpoint, with the same message. */

let scene: DisclosureScene
let owner: AppSession
beforeAll(async () => {
  scene = await openDisclosureScene()
  owner = await scene.signIn(scene.acme, 'owner')
})
afterAll(() => scene.close())

const wrong = [
  'nobody',
  'a,b@acme.example',
  'x@acme..example',
  'x@localhost',
  'Name <x@acme.example>',
  'x..y@acme.example',
]

const password = 'a long enough password'
const wanted = {
  name: 'Nils',
  email: 'nils@wonka.example',
  companyName: 'Wonka',
  slug: 'wonka',
  acceptsTerms: true,
}
const signUp = { ...wanted, securityContactEmail: 'security@wonka.example', timeZone: 'UTC' }

type Door = { method: 'POST' | 'PATCH'; path: string; field: string; body: object; isOpen?: boolean }
const doors: Door[] = [
  { method: 'PATCH', path: '/workspaces/acme/company', field: 'securityContactEmail', body: {} },
  { method: 'PATCH', path: '/workspaces/acme/disclosure', field: 'publicContactEmail', body: {} },
  { method: 'POST', path: '/workspaces/acme/invitations', field: 'email', body: { role: 'viewer' } },
  { method: 'POST', path: '/account/email', field: 'email', body: { password } },
  { method: 'POST', path: '/sign-up', field: 'email', body: signUp, isOpen: true },
  { method: 'POST', path: '/sign-up', field: 'securityContactEmail', body: signUp, isOpen: true },
  { method: 'POST', path: '/password-reset', field: 'email', body: {}, isOpen: true },
]

describe.each(doors)('$method $path, $field', ({ method, path, field, body, isOpen = false }) => {
  it.each(wrong)('refuses %s', async (address) => {
    const session = isOpen ? new AppSession(scene.http.url) : owner
    const refused = await session.send(path, { method, body: { ...body, [field]: address } })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(refusalIn(refused.body).fields).toEqual({ [field]: emailAddressProblem })
  })
})

it.each(wrong)('a report is not taken with %s', async (contactEmail) => {
  const answer = await scene.report('acme', { contactEmail })
  expect(answer.status).toBe(422)
  expect(answer.body).toContain('This is not an e-mail address.')
})

describe.each(wrong)('provision refuses %s', (address) => {
  const workspace = {
    slug: 'candy',
    companyName: 'Candy',
    securityContactEmail: 'security@candy.example',
    plan: 'core' as const,
  }
  it.each([
    [
      'of a company',
      { ...workspace, slug: `candy-${wrong.indexOf(address)}`, securityContactEmail: address },
    ],
    [
      'of a member',
      { ...workspace, members: [{ email: address, name: 'Olga', role: 'owner' as const, password }] },
    ],
    ['of the disclosure settings', { ...workspace, disclosure: { publicContactEmail: address } }],
  ])('%s', async (_where, document) => {
    await expect(provision(scene.database.db, { workspaces: [document] }, testNow)).rejects.toThrow(
      emailAddressProblem,
    )
  })
})

it('what was stored before is still read, and is corrected by the same rule', async () => {
  await scene.database.db
    .updateTable('workspace')
    .set({ security_contact_email: 'a,b@acme.example' })
    .where('id', '=', scene.acme.id)
    .execute()
  expect(await owner.call(getCompany)).toMatchObject({ securityContactEmail: 'a,b@acme.example' })
  await owner.call(changeCompany, { body: { companyName: 'Acme' } })
  const corrected = { securityContactEmail: ' security@acme.example ' }
  const answer = await owner.call(changeCompany, { body: corrected })
  expect(answer).toMatchObject({ securityContactEmail: 'security@acme.example' })
})

it('what nobody can write to is shown to those who correct it, and to nobody else', async () => {
  const { db } = scene.database
  const stored = (security_contact_email: string, public_contact_email: string | null) =>
    Promise.all([
      db.updateTable('workspace').set({ security_contact_email }).where('id', '=', scene.acme.id).execute(),
      db
        .updateTable('disclosure_settings')
        .set({ public_contact_email })
        .where('workspace_id', '=', scene.acme.id)
        .execute(),
    ])
  const shown = async (session: AppSession) => (await session.call(getWorkspace)).unusableContacts
  const others = new Map<Role, AppSession>()
  for (const role of ['admin', 'lead', 'editor', 'viewer'] as const)
    others.set(role, await scene.member(scene.acme, role))
  await owner.call(changeDisclosureSettings, { body: { publicContactEmail: 'public@acme.example' } })
  await stored('a,b@acme.example', 'x@acme..example')
  const both = [
    { setting: 'company', address: 'a,b@acme.example' },
    { setting: 'disclosure', address: 'x@acme..example' },
  ]
  expect(await shown(owner)).toEqual(both)
  for (const [role, session] of others)
    expect(await shown(session), role).toEqual(role === 'admin' ? both : null)
  await stored('security@acme.example', null)
  expect(await shown(owner)).toEqual([])
})
