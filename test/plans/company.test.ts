import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  changeCompany,
  getCompany,
  type CompanySettings,
} from '../../src/contract/workspace/company-operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { freezeSlug } from '../../src/workspace/workspaces.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { call, endBoth } from '../support/http.ts'
import { anyText, textLike } from '../support/expected.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let viewer: AppSession

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene())
  viewer = await AppSession.signIn(http.url, acme.members.viewer)
})
afterAll(() => endBoth(http, store))
beforeEach(async () => {
  await store.db
    .updateTable('workspace')
    .set({ slug: 'acme', slug_frozen_at: null, company_name: 'acme company', time_zone: 'UTC' })
    .where('id', '=', acme.id)
    .execute()
})

const change = (body: Partial<CompanySettings>) => owner.ask(changeCompany, { body })

const acts = async () => {
  const events = await store.db
    .selectFrom('audit_event')
    .select(['action', 'before', 'after'])
    .where('workspace_id', '=', acme.id)
    .where('action', '=', 'workspace.company_changed')
    .orderBy('id')
    .execute()
  return events.map(({ before, after }) => ({ before, after }))
}

describe('the settings of the company', () => {
  it('are shown to every member', async () => {
    expect(await viewer.call(getCompany)).toMatchObject({
      slug: 'acme',
      companyName: 'acme company',
      securityContactEmail: 'security@acme.example',
      timeZone: 'UTC',
      slugFrozenAt: null,
    })
  })

  it('change what is given, with the values before and after in the audit trail', async () => {
    const answer = await change({ companyName: ' Acme AS ', timeZone: 'Europe/Oslo' })
    expect(answer).toMatchObject({ status: 200, body: { companyName: 'Acme AS', timeZone: 'Europe/Oslo' } })
    expect((await acts()).at(-1)).toEqual({
      before: { companyName: 'acme company', timeZone: 'UTC' },
      after: { companyName: 'Acme AS', timeZone: 'Europe/Oslo' },
    })
    expect(await owner.call(getWorkspace)).toMatchObject({
      companyName: 'Acme AS',
      timeZone: 'Europe/Oslo',
    })
  })

  it('record nothing where nothing differs', async () => {
    const before = (await acts()).length
    expect((await change({ companyName: 'acme company' })).status).toBe(200)
    expect((await acts()).length).toBe(before)
  })

  it.each([
    ['companyName', ' '],
    ['companyName', 'x'.repeat(201)],
    ['securityContactEmail', 'nobody'],
    ['timeZone', 'Oslo'],
    ['slug', 'ab'],
    ['slug', '-acme'],
    ['slug', 'Acme'],
    ['slug', 'api'],
    ['slug', 'umbrella'],
  ])('refuse %s "%s" and change nothing', async (field, value) => {
    const answer = await change({ [field]: value })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', fields: { [field]: anyText } },
    })
    expect(await owner.call(getCompany)).toMatchObject({ slug: 'acme' })
  })
})

describe('the address of the workspace', () => {
  it('changes until the first advisory is published; then the pages are at the new one', async () => {
    expect((await change({ slug: 'acme-two' })).status).toBe(200)
    expect((await owner.refused(getWorkspace)).status).toBe(404)
    await owner.call(getWorkspace, { params: { slug: 'acme-two' } })
    const feed = await call(`${http.url}/csaf/acme-two/provider-metadata.json`)
    const former = await call(`${http.url}/csaf/acme/provider-metadata.json`)
    expect([feed.status, former.status]).toEqual([200, 404])
  })

  it('does not change once it is in published documents, and everything else does', async () => {
    await store.db.transaction().execute((tx) => freezeSlug(tx, { workspaceId: acme.id, now: testNow }))
    expect(await change({ slug: 'acme-two', companyName: 'Other' })).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: textLike(/published advisories/) },
    })
    expect(await change({ slug: 'acme', companyName: 'Other' })).toMatchObject({
      status: 200,
      body: { slug: 'acme', companyName: 'Other', slugFrozenAt: testNow.toISOString() },
    })
  })
})
