import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeDisclosureSettings } from '../../src/contract/disclosure/operations.ts'
import { setClosed, setPlan } from '../../src/workspace/workspaces.ts'
import { testNow } from '../support/clock.ts'
import {
  described,
  openDisclosureScene,
  receiptPath,
  stampIn,
  type DisclosureScene,
} from './disclosure-scene.ts'
import { anyText } from '../support/expected.ts'
import { tester } from '../support/actors.ts'

let scene: DisclosureScene
beforeAll(async () => {
  scene = await openDisclosureScene()
})
afterAll(() => scene.close())

async function settings(values: Record<string, unknown>) {
  await scene.database.db
    .insertInto('disclosure_settings')
    .values({
      workspace_id: scene.acme.id,
      public_contact_email: null,
      canonical_url: null,
      acknowledge_days: 3,
      ...values,
    })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
    .execute()
}

describe('the policy', () => {
  it.each([
    ['', 'en', 'en', 'Report a vulnerability'],
    ['', 'nb-NO,nb;q=0.9,en;q=0.8', 'nb', 'Rapporter en sårbarhet'],
    ['', 'no', 'nb', 'Rapporter en sårbarhet'],
    ['', 'fr, de;q=0.5, en;q=0.2', 'de', 'Schwachstelle melden'],
    ['', 'fr', 'en', 'Report a vulnerability'],
    ['?lang=de', 'nb', 'de', 'Schwachstelle melden'],
    ['?lang=no', 'de', 'nb', 'Rapporter en sårbarhet'],
    ['?lang=xx', 'de', 'de', 'Schwachstelle melden'],
  ])('is shown in the language asked for: %s %s', async (query, accepted, language, title) => {
    const page = await scene.get(`/disclose/acme${query}`, { 'accept-language': accepted })
    expect(page.status).toBe(200)
    expect(page.body).toContain(`<html lang="${language}">`)
    expect(page.body).toContain(`<h1>${title}</h1>`)
    expect(page.body).toContain('acme company')
    expect(page.body).toContain('href="mailto:security@acme.example"')
  })

  it('has no script, and a policy that runs none', async () => {
    const page = await scene.get('/disclose/acme')
    expect(page.body).not.toMatch(/<script|style="|onload|javascript:/i)
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    )
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('a report', () => {
  it('leads to a receipt with its number, and is read again behind its link alone', async () => {
    const answer = await scene.report('acme', { exploited: 'yes', impact: 'Everything.' })
    expect(answer.status).toBe(303)
    const path = receiptPath(answer)
    expect(path).toMatch(/^\/disclose\/acme\/reports\/[\w-]{43}$/)
    const page = await scene.get(`${path}?lang=en&received`)
    expect(page.status).toBe(200)
    expect(page.body).toContain('Report 1')
    expect(page.body).toContain('Your report has been received.')
    expect(page.body).toContain(described.title)
    expect(page.body).toContain('noindex')
    expect((await scene.get(path.replace('acme', 'umbrella'))).status).toBe(404)
    const row = await scene.database.db
      .selectFrom('inbox_report')
      .selectAll()
      .where('number', '=', 1)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ state: 'new', exploited: 'yes', language: 'en', spam_reasons: [] })
    expect(JSON.stringify(row)).not.toContain('overflow')
    expect(row.text_sealed?.includes('overflow')).toBe(false)
  })

  it('keeps what was typed when a field is wrong, with every problem at once', async () => {
    const stamp = stampIn(await scene.get('/disclose/acme'))
    scene.wait(60_000)
    const answer = await scene.post('/disclose/acme', {
      fields: {
        stamp,
        title: '',
        description: 'typed <b>text</b>',
        contactEmail: 'nobody',
        embargoUntil: '2026-02-31',
        credit: 'named',
      },
    })
    expect(answer.status).toBe(422)
    expect(answer.body).toContain('typed &#60;b&#62;text&#60;/b&#62;')
    expect(answer.body).toContain('id="title-problem"')
    expect(answer.body).toContain('id="contactEmail-problem"')
    expect(answer.body).toContain('id="embargoUntil-problem"')
    expect(answer.body).toContain('id="creditName-problem"')
  })
})

describe('security.txt', () => {
  it('has the fields of RFC 9116 at both addresses, and renews itself', async () => {
    await settings({
      public_contact_email: 'psirt@acme.example',
      canonical_url: 'https://acme.example/.well-known/security.txt',
      encryption_url: 'https://acme.example/key.asc',
    })
    const file = await scene.get('/disclose/acme/security.txt')
    expect(file.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(file.body.split('\n')).toEqual([
      'Contact: https://monitor.example/disclose/acme',
      'Contact: mailto:psirt@acme.example',
      expect.stringMatching(/^Expires: 2026-06-30T00:00:00Z$/),
      'Encryption: https://acme.example/key.asc',
      'Acknowledgments: https://monitor.example/disclose/acme/acknowledgments',
      'Preferred-Languages: en, nb, de',
      'Canonical: https://acme.example/.well-known/security.txt',
      'Policy: https://monitor.example/disclose/acme',
      '',
    ])
    expect((await scene.get('/disclose/acme/.well-known/security.txt')).body).toBe(file.body)
    const before = scene.clock.now
    scene.clock.now = new Date(before.getTime() + 10 * 24 * 3_600_000)
    expect((await scene.get('/disclose/acme/security.txt')).body).toContain('Expires: 2026-07-10T00:00:00Z')
    scene.clock.now = before
  })

  it('has a policy without characters that turn what is read', async () => {
    const owner = await scene.signIn(scene.acme, 'owner')
    const typed = { policy: 'We answer\u202e within\u200b ten days.\nThanks.' }
    expect((await owner.ask(changeDisclosureSettings, { body: typed })).status).toBe(204)
    const { body } = await scene.get('/disclose/acme')
    expect(body).toContain('We answer within ten days.')
    expect((await owner.ask(changeDisclosureSettings, { body: { policy: null } })).status).toBe(204)
  })

  it('names addresses as URIs, however they were typed', async () => {
    const owner = await scene.signIn(scene.acme, 'owner')
    const change = (body: object) => owner.ask(changeDisclosureSettings, { body })
    const typed = {
      canonicalUrl: 'https://Exämple.com/ä|b/.well-known/security.txt',
      encryptionUrl: 'https://acme.example/Schlüssel.asc',
    }
    expect((await change(typed)).status).toBe(204)
    const lines = async () => (await scene.get('/disclose/acme/security.txt')).body.split('\n')
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'Canonical: https://xn--exmple-cua.com/%C3%A4%7Cb/.well-known/security.txt',
        'Encryption: https://acme.example/Schl%C3%BCssel.asc',
      ]),
    )
    const fingerprint = 'openpgp4fpr:5F2DE5521C63A801AB59CCB603D49DE44B29100F'
    expect((await change({ encryptionUrl: fingerprint })).status).toBe(204)
    expect(await lines()).toContain(`Encryption: ${fingerprint}`)
    expect(await change({ encryptionUrl: 'dns:schlüssel.acme.example' })).toMatchObject({
      status: 400,
      body: { fields: { encryptionUrl: anyText } },
    })
    expect((await change({ canonicalUrl: null, encryptionUrl: null })).status).toBe(204)
  })

  it('lets nobody write a line of their own', async () => {
    await settings({
      canonical_url: 'https://acme.example/x\nCSAF: https://evil.example',
      encryption_url: null,
    })
    const { body } = await scene.get('/disclose/acme/security.txt')
    expect(body).not.toContain('evil')
    expect(body.split('\n').filter((line) => line !== '' && !/^[A-Z][A-Za-z-]+: \S/.test(line))).toEqual([])
    await settings({ canonical_url: null })
  })
})

describe('the workspace', () => {
  const paths = ['', '/security.txt', '/.well-known/security.txt']

  it('keeps everything while it is read-only, and takes it away while it is closed', async () => {
    const receipt = receiptPath(await scene.report('acme', { title: 'before' }))
    const act = { workspaceId: scene.acme.id, actor: tester, now: testNow }
    await setPlan(scene.database.db, { ...act, plan: 'free' })
    for (const path of paths) expect((await scene.get(`/disclose/acme${path}`)).status).toBe(200)
    expect((await scene.report('acme', { title: 'on free', description: 'other words' })).status).toBe(303)
    const stamp = stampIn(await scene.get('/disclose/acme'))
    await setClosed(scene.database.db, { ...act, closedAt: testNow })
    for (const file of paths.slice(1)) {
      expect(await scene.get(`/disclose/acme${file}`)).toMatchObject({ status: 404, body: 'Not found' })
    }
    const gone = await scene.get('/disclose/acme')
    expect(gone.status).toBe(404)
    // the page that the links back lead to stays
    expect(gone.body).toContain('href="/disclose/acme/acknowledgments?lang=en"')
    expect(gone.body).not.toContain('Report a vulnerability')
    expect((await scene.get(receipt)).status).toBe(404)
    const thanks = await scene.get('/disclose/acme/acknowledgments')
    expect(thanks.status).toBe(200)
    expect(thanks.body).not.toContain('href="/disclose/acme?')
    const late = await scene.post('/disclose/acme', { fields: { stamp, ...described } })
    expect(late.status).toBe(404)
    await setClosed(scene.database.db, { ...act, closedAt: null })
    await setPlan(scene.database.db, { ...act, plan: 'core' })
    expect((await scene.get(receipt)).status).toBe(200)
  })

  it('that is not there has no page', async () => {
    for (const path of paths) expect((await scene.get(`/disclose/nobody${path}`)).status).toBe(404)
    const { headers, body } = await scene.get('/disclose/nobody')
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(body).toContain('There is no page at this address.')
    expect(body).not.toContain('href="/disclose/')
  })

  it.each([
    ['/disclose/acme/acknowledgements', 'en', 'There is no page at this address.'],
    ['/disclose/acme/advisories/ACME-SA-1999-0001', 'en', 'No advisory is published at this address.'],
    ['/disclose/acme/danke', 'de', 'Unter dieser Adresse gibt es keine Seite.'],
  ])(
    'says at %s what is missing, in the language asked for (%s), and leads back',
    async (path, lang, words) => {
      const { status, headers, body } = await scene.get(`${path}?lang=${lang}`)
      expect(status).toBe(404)
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      })
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(body).toContain(words)
      expect(body).toContain(`<li><a href="/disclose/acme?lang=${lang}">`)
      expect(body).toContain(`<li><a href="/disclose/acme/advisories?lang=${lang}">`)
    },
  )
})
