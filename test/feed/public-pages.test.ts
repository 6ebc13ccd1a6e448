import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClosed } from '../../src/workspace/workspaces.ts'
import {
  createAdvisoryScene,
  fullContent,
  sampleContent,
  sampleVulnerability,
  Writer,
  type AdvisoryScene,
} from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'
import { textWith } from '../support/expected.ts'
import { changeCompany } from '../../src/contract/workspace/company-operations.ts'
import { tester } from '../support/actors.ts'

let database: TestDatabase
let http: TestHttp
let scene: AdvisoryScene
let writer: Writer
let now = testNow

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => now })
  const [acme] = await createScene(database.db)
  scene = await createAdvisoryScene(database, http, acme)
  writer = new Writer(scene)
})
afterAll(() => endBoth(http, database))

const open = (path: string) => call(`${http.url}/disclose/acme/${path}`)
const strict =
  /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/

test('before anything is published the list says so, and names the feed', async () => {
  const answer = await open('advisories')
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect(answer.body).toContain('No advisories have been published so far.')
  const feed = `${baseUrl}/csaf/acme/provider-metadata.json`
  expect(answer.body).toContain(`<link rel="alternate" type="application/json" href="${feed}"`)
  expect(String((await open('advisories.atom')).body)).toContain('<feed xmlns="http://www.w3.org/2005/Atom"')
})

/** Names of the company's other pages. */
const ways = [
  '<a href="/disclose/acme?lang=en"',
  '<a href="/disclose/acme/advisories?lang=en"',
  '<a href="/disclose/acme/acknowledgments?lang=en"',
]

test('security.txt names the feed from the first public advisory on, and not for one that is not', async () => {
  const csaf = `CSAF: ${baseUrl}/csaf/acme/provider-metadata.json`
  const text = async (path = 'security.txt') => String((await open(path)).body).split(/\r?\n/)
  expect((await text()).filter((line) => line.startsWith('CSAF'))).toEqual([])
  await writer.release({ ...sampleContent(scene.products), tlp: 'GREEN' })
  expect((await text()).filter((line) => line.startsWith('CSAF'))).toEqual([])
  await writer.release(sampleContent(scene.products))
  expect((await text()).filter((line) => line.startsWith('CSAF'))).toEqual([csaf])
  expect(await text('.well-known/security.txt')).toContain(csaf)
})

test('an advisory has a page with its document, its digests and how to check them', async () => {
  const { trackingId, sha256 } = await writer.release(sampleContent(scene.products))
  const { body, headers, status } = await open(`advisories/${trackingId}`)
  const page = String(body)
  expect(status).toBe(200)
  expect(headers['content-security-policy']).toMatch(strict)
  const document = `${baseUrl}/csaf/acme/white/2026/${trackingId.toLowerCase()}.json`
  expect(page).toContain(`rel="alternate" type="application/json" href="${document}"`)
  for (const way of ways) expect(page).toContain(way)
  expect(page).toContain(sha256)
  expect(page).toContain(`sha256sum -c ${trackingId.toLowerCase()}.json.sha256`)
  for (const words of [
    'Overflow in pumps',
    'CVE-2026-1234',
    'EUVD-2026-77',
    'Pump 1 1.0',
    'Affected',
    'Fixed',
    'Not affected',
    'Update to 2.0.',
    'KEV',
    'Ada, Lab',
    'First publication.',
  ]) {
    expect(page).toContain(words)
  }
  expect(String((await open('advisories')).body)).toContain(`href="/disclose/acme/advisories/${trackingId}"`)
  expect(String((await open('advisories.atom')).body)).toContain(
    `<title>${trackingId}: Overflow in pumps</title>`,
  )
})

test('a page names products until it has names enough, and counts the rest; another version has a page of its own', async () => {
  const [pump] = scene.products
  if (pump === undefined) throw new Error('the scene has no product')
  const products = Array.from({ length: 400 }, (_, at) => {
    const parts = Array.from({ length: 20 }, (_value, part) => `>=${at}.${part}.0|<${at}.${part}.5`)
    const versionId = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    return { ...pump, versionId, version: `vers:semver/${parts.join('|')}`, isRange: true }
  })
  const versionIds = products.map(({ versionId }) => versionId)
  const vulnerability = (cve: string) => ({
    ...sampleVulnerability(scene.products, cve),
    statuses: versionIds.map((versionId) => {
      return { versionId, status: 'affected' as const, justification: null, impact: '' }
    }),
    remediations: Array.from({ length: 5 }, (_, at) => {
      return { category: 'mitigation' as const, details: `Measure ${at}.`, url: '', versionIds }
    }),
  })
  const vulnerabilities = ['CVE-2026-2001', 'CVE-2026-2002', 'CVE-2026-2003'].map(vulnerability)
  const content = { ...sampleContent(scene.products, 'Overflow in many pumps'), products, vulnerabilities }
  const { id, trackingId } = await writer.release(content)
  const page = String((await open(`advisories/${trackingId}`)).body)
  expect(page.length).toBeLessThan(1_000_000)
  expect(page).toContain('&#62;=399.0.0')
  expect(page).toMatch(/&#60;\d+\.19\.5 and \d+ more, named in the document\)/)
  expect(page).toContain('(400 products, named in the document)')
  await writer.revise(id, { ...content, title: 'Overflow in all pumps' })
  expect(String((await open(`advisories/${trackingId}`)).body)).toContain('Overflow in all pumps')
})

test('an advisory that is not TLP:WHITE has no page, nor has another spelling of its address', async () => {
  const { trackingId } = await writer.release({
    ...sampleContent(scene.products, 'Only for friends'),
    tlp: 'GREEN',
  })
  const missing = await open(`advisories/${trackingId}`)
  expect(missing.status).toBe(404)
  expect(String(missing.body)).toContain('No advisory is published at this address.')
  expect(String(missing.body)).not.toContain(trackingId)
  expect((await open('advisories/acme-sa-2026-0002')).status).toBe(404)
  for (const path of ['advisories', 'advisories.atom'])
    expect(String((await open(path)).body)).not.toContain('friends')
  expect((await call(`${http.url}/disclose/nobody/advisories`)).status).toBe(404)
})

const payloads = [
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '<iframe srcdoc="<script>alert(1)</script>">',
  '</style><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  ']]><script>alert(1)</script>',
  '<base href=//evil.example>',
  '<meta http-equiv=refresh content=0;url=//evil.example>',
  '<link rel=stylesheet href=//evil.example>',
  '<form action=//evil.example><button>',
  '<a href="javascript:alert(1)">x</a>',
  '<math><mtext><script>alert(1)</script>',
  '<details open ontoggle=alert(1)>',
  '<body onload=alert(1)>',
  '<object data=javascript:alert(1)>',
  '<embed src=//evil.example>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea autofocus onfocus=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;',
  '\u2028<script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>',
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '\u0085<plaintext>',
]

test(
  'thirty payloads in every field of an advisory are shown as typed, and stay text',
  { timeout: 120_000 },
  async () => {
    expect(payloads.length).toBeGreaterThanOrEqual(30)
    for (const payload of payloads.map((text) => text.replaceAll('\u0085', ''))) {
      const vulnerability = sampleVulnerability(scene.products)
      const [remediation] = vulnerability.remediations
      if (remediation === undefined) throw new Error('the sample has a remediation')
      const { trackingId } = await writer.release({
        ...sampleContent(scene.products, payload),
        summary: payload,
        vulnerabilities: [
          {
            ...vulnerability,
            title: payload,
            description: payload,
            ids: [{ system: payload, text: payload }],
            statuses: vulnerability.statuses.map((row) =>
              row.status === 'not_affected' ? { ...row, impact: payload } : row,
            ),
            remediations: [{ ...remediation, details: payload }],
            references: [{ summary: payload, url: 'https://acme.example/?"><script>alert(1)</script>' }],
          },
        ],
        references: [{ summary: payload, url: `https://acme.example/#${encodeURIComponent(payload)}` }],
        acknowledgments: [{ names: [payload], organization: payload, summary: payload, urls: [] }],
      })
      for (const path of ['advisories', `advisories/${trackingId}`]) {
        const { body, headers } = await open(path)
        const [, css = ''] = /<style>([^]*?)<\/style>/.exec(String(body)) ?? []
        const digest = createHash('sha256').update(css).digest('base64')
        expect(headers['content-security-policy']).toContain(`style-src 'sha256-${digest}'`)
        const tags = [...String(body).matchAll(/<\/?([a-z][a-z0-9:]*)/gi)].map(([, name = '']) =>
          name.toLowerCase(),
        )
        const ours = new Set(
          'html head meta title link style body header p nav ul li a main h1 h2 h3 dl dt dd time section div table thead tr th tbody td strong span code pre'.split(
            ' ',
          ),
        )
        expect([...new Set(tags)].filter((tag) => !ours.has(tag))).toEqual([])
        expect(String(body)).not.toMatch(/<[^>]*\son[a-z]+=/i)
        expect(String(body)).not.toMatch(/href="(?!https?:|\/)/)
      }
      const atom = String((await open('advisories.atom')).body)
      const elements = new Set([...atom.matchAll(/<\/?([a-zA-Z:]+)/g)].map(([, name]) => name))
      expect([...elements].sort()).toEqual([
        'author',
        'entry',
        'feed',
        'id',
        'link',
        'name',
        'published',
        'summary',
        'title',
        'updated',
      ])
    }
  },
)

test('severity, scores, weakness, ranges, days and notes are shown on the page, in the list and in the Atom feed', async () => {
  const { trackingId } = await writer.release(fullContent(scene.products))
  const page = String((await open(`advisories/${trackingId}`)).body)
  for (const words of [
    '<dd><strong>Critical</strong></dd>',
    'CVSS 3.1',
    '<strong>9.8, critical</strong>',
    'CVSS 2.0',
    'CWE-120: Buffer Copy without Checking Size of Input',
    'href="https://cwe.mitre.org/data/definitions/120.html"',
    'Pump 1 &#62;=0.9.0, &#60;2.0.0',
    'The service has to be restarted.',
    'Since 3 Feb 2026.',
    'Made public',
    'Grace: Found it.',
    'Pumps behind a firewall are reached from inside only.',
    'Legal note',
    'Provided as it is.',
  ])
    expect(page.replaceAll(/\s+/g, ' ')).toContain(words)
  const list = String((await open('advisories')).body).replaceAll(/\s+/g, ' ')
  expect(list).toContain('<td>Critical</td>')
  expect(list).toContain('<td>Not stated</td>')
  const atom = String((await open('advisories.atom')).body)
  expect(atom).toContain('<category term="critical" label="Severity: Critical"/>')
  expect(atom).toContain('<summary>Severity: Critical. Version 1.0.0: First publication.</summary>')
})

test('the Atom feed is asked for again on a condition, as the files of the feed are', async () => {
  const ask = (headers: Record<string, string>) =>
    call(`${http.url}/disclose/acme/advisories.atom`, { headers })
  const { headers } = await open('advisories.atom')
  const [tag, date] = [String(headers['etag']), String(headers['last-modified'])]
  expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
  expect(date).toMatch(/ GMT$/)
  const known: Record<string, string>[] = [
    { 'if-none-match': tag },
    { 'if-none-match': `W/${tag}, "x"`, 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  ]
  for (const condition of known) {
    const answer = await ask(condition)
    expect(answer).toMatchObject({ status: 304, body: '', headers: { etag: tag, 'last-modified': date } })
  }
  const past = 'Thu, 01 Jan 1970 00:00:00 GMT'
  for (const condition of [{ 'if-match': '"x"' }, { 'if-unmodified-since': past }]) {
    expect(await ask(condition)).toMatchObject({ status: 412, headers: { 'cache-control': 'no-store' } })
  }
  const others: Record<string, string>[] = [
    { 'if-match': tag },
    { 'if-none-match': '"x"', 'if-modified-since': date },
    { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { 'if-modified-since': 'yesterday' },
    // two were published in that second
    { 'if-modified-since': date },
  ]
  for (const condition of others) expect((await ask(condition)).status).toBe(200)
  now = new Date(testNow.getTime() + 3_600_000)
  await writer.release(sampleContent(scene.products, 'Published later'))
  const later = String((await open('advisories.atom')).headers['last-modified'])
  expect((await ask({ 'if-modified-since': date })).status).toBe(200)
  expect((await ask({ 'if-none-match': tag })).status).toBe(200)
  expect(await ask({ 'if-modified-since': later })).toMatchObject({ status: 304, body: '' })
})

test('the Atom feed is sent where the time of the last publication does not tell what has changed', async () => {
  const ask = async (since: string) =>
    call(`${http.url}/disclose/acme/advisories.atom`, { headers: { 'if-modified-since': since } })
  const date = async () => String((await open('advisories.atom')).headers['last-modified'])
  const at = (hours: number) => new Date(testNow.getTime() + hours * 3_600_000)
  now = at(2)
  const { id } = await writer.release(sampleContent(scene.products, 'Published and changed'))
  const first = await date()
  expect((await ask(first)).status).toBe(304)
  await writer.revise(id, sampleContent(scene.products, 'Changed in the same second'))
  expect(await date()).toBe(first)
  expect(await ask(first)).toMatchObject({ status: 200, body: textWith('Changed in the same second') })
  now = at(3)
  await writer.revise(id, sampleContent(scene.products, 'Changed later'))
  const last = await date()
  expect((await ask(last)).status).toBe(304)
  await scene.owner.call(changeCompany, { body: { companyName: 'Acme Pumps' } })
  expect(await ask(last)).toMatchObject({ status: 200, body: textWith('Security advisories of Acme Pumps') })
})

/** Copies of the newest advisory, each a minute older than the one before. */
async function publishCopies(count: number): Promise<void> {
  await sql`
    with old as (
      select v.*, a.first_released_at, a.created_by_name, a.last_revision
      from advisory a join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
      where a.workspace_id = ${scene.workspace.id} and v.tlp = 'WHITE' order by v.released_at desc limit 1
    ), copy as materialized (
      select o.*, gen_random_uuid() as copy_id, n from old o, generate_series(1, ${count}) n
    ), advisories as (
      insert into advisory (id, workspace_id, tracking_id, file_name, created_at, created_by_name, last_revision, current_ordinal, year, first_released_at)
      select copy_id, workspace_id, 'COPY-' || n, 'copy-' || n || '.json', released_at, created_by_name, last_revision, ordinal, 2026, first_released_at
      from copy
    )
    insert into advisory_version (id, workspace_id, advisory_id, ordinal, number, kind, tlp, title, summary, released_at, published_by_name,
      publisher_name, publisher_contact, namespace, content, bytes, sha256, sha512)
    select gen_random_uuid(), workspace_id, copy_id, ordinal, number, kind, tlp, title, summary, released_at - n * interval '1 minute', published_by_name,
      publisher_name, publisher_contact, namespace, content, bytes, sha256, sha512
    from copy`.execute(database.db)
}

test('the list goes on by key: what is published between two pages is neither missing nor shown twice', async () => {
  await writer.release(sampleContent(scene.products))
  await publishCopies(210)
  const page = async (query: string) => {
    const { status, body } = await open(`advisories${query}`)
    const ids = [...String(body).matchAll(/advisories\/([A-Za-z0-9-]+)"/g)].map(([, id]) => id)
    const [, older = null] = /href="(\?before=[^"]+)">Older/.exec(String(body)) ?? []
    return { status, ids, older, hasNewest: String(body).includes('>Newest</a>') }
  }
  const first = await page('')
  expect([first.ids.length, first.hasNewest]).toEqual([100, false])
  const { trackingId } = await writer.release(sampleContent(scene.products, 'Published between two pages'))
  const second = await page(first.older ?? '')
  const third = await page(second.older ?? '')
  expect([second.hasNewest, third.hasNewest, third.older]).toEqual([true, true, null])
  const read = [...first.ids, ...second.ids, ...third.ids]
  expect(new Set(read).size).toBe(read.length)
  expect(read.filter((id) => id?.startsWith('COPY-'))).toHaveLength(210)
  expect(read).not.toContain(trackingId)
  expect((await page('')).ids[0]).toBe(trackingId)
  for (const query of ['?before=x', '?before=', '?before=x&before=y'])
    expect((await page(query)).status).toBe(404)
})

test('pages stay while the workspace is closed', async () => {
  await setClosed(database.db, {
    workspaceId: scene.workspace.id,
    closedAt: testNow,
    actor: tester,
    now: testNow,
  })
  for (const path of ['advisories', 'advisories/ACME-SA-2026-0002', 'advisories.atom'])
    expect((await open(path)).status).toBe(200)
  const page = String((await open('advisories')).body)
  expect(ways.map((way) => page.includes(way))).toEqual([false, true, true])
})
