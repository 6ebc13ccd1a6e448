import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSections, indexSections, type Section } from '../../src/docs-site/browser/find-sections.mjs'
import { guides } from '../../src/docs-site/guide-list.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { endBoth, startTestHttp, type TestHttp } from '../support/http.ts'

let database: TestDatabase
let http: TestHttp

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
})
afterAll(() => endBoth(http, database))

async function read(path: string): Promise<{ answer: Response; page: string }> {
  const answer = await fetch(`${http.url}${path}`)
  return { answer, page: await answer.text() }
}

const found = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, text = '']) => text)

test.each(guides)(
  '$name is a page without inline script, under a policy that names its style sheet and scripts of here alone',
  async ({ name }) => {
    const { answer, page } = await read(`/docs/${name}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const [style = ''] = found(page, /<style>([^]*?)<\/style>/g)
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    )
    expect(found(page, /(<script[^]*?<\/script>)/g)).toEqual([
      '<script type="module" src="/docs/assets/search-box.mjs"></script>',
    ])
    expect(page).not.toMatch(/<img (?!src="\/docs\/images\/)| style=| on[a-z]+=/)
    for (const source of found(page, /<img src="([^"]*)"/g)) {
      const picture = await fetch(`${http.url}${source}`)
      expect(picture.headers.get('content-type'), source).toBe('image/webp')
    }
    expect(found(page, /<(h1)[ >]/g)).toHaveLength(1)
    const ids = found(page, / id="([^"]*)"/g)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain('')
  },
)

test('every link of a guide and of the index leads to a page and a heading that exist', async () => {
  const paths = ['/docs', '/docs/api', ...guides.map(({ name }) => `/docs/${name}`)]
  const pages = new Map<string, string>()
  for (const path of paths) pages.set(path, (await read(path)).page)
  const links = [...pages].flatMap(([path, page]) =>
    found(page, /href="([^"]*)"/g).map((href) => new URL(href, `https://here.example${path}`)),
  )
  const own = links.filter(({ host, pathname }) => host === 'here.example' && pathname.startsWith('/docs'))
  for (const { pathname, hash: fragment } of own) {
    expect(paths).toContain(pathname)
    if (fragment !== '')
      expect(pages.get(pathname)).toContain(` id="${decodeURIComponent(fragment.slice(1))}"`)
  }
  for (const path of paths) expect(own.map(({ pathname }) => pathname)).toContain(path)
  expect(own.map(({ pathname, hash: fragment }) => pathname + fragment)).toContain('/docs/public-api#body')
})

test('the guide to alerts has the code that checks a signature, where the application links to', async () => {
  const { page } = await read('/docs/alerts')
  expect(page).toContain('id="check-the-signature"')
  expect(page).toContain('createHmac(&#39;sha256&#39;, secret)')
  expect(page).toContain('hmac.compare_digest')
})

test.each([
  '/docs/architecture',
  '/docs/nothing',
  '/docs/..%2fREADME',
  '/docs/alerts.md',
  '/docs/%00',
  '/docs/constructor',
  '/docs/assets/docs-frame.ts',
  '/docs/images/none.webp',
  '/docs/images/..%2falerts.md',
  '/docs/assets/..%2fdocs.ts',
])('%s is not served', async (path) => {
  expect((await read(path)).answer.status).toBe(404)
})

test('an address without a guide says so in a page of the documentation, a file in text', async () => {
  const { answer, page } = await read('/docs/nothing')
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(page).toContain('There is no page of the documentation at this address.')
  expect(page).toContain('<a href="/docs">overview</a>')
  expect((await read('/docs/deep/down')).page).toContain('There is no page of the documentation')
  expect((await read('/docs/images/none.webp')).page).toBe('Not found')
  const head = await fetch(`${http.url}/docs/nothing`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
})

const results = (page: string) => found(page, /<li>\s*<a href="([^"]*)"[^>]*>[^<]*<small>/g)

test('the search finds sections by all words, as a page and in the index of the search box', async () => {
  const { page } = await read('/docs/search?q=constant+time+signature')
  expect(results(page)[0]).toBe('/docs/alerts#check-the-signature')
  expect(page).toContain('value="constant time signature"')
  const { page: nothing } = await read('/docs/search?q=zebra')
  expect(nothing).toContain('0 found for')
  const { page: hostile } = await read(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(hostile).not.toContain('<script>alert')
  const sections = (await (await fetch(`${http.url}/docs/search.json`)).json()) as Section[]
  expect(findSections(indexSections(sections), 'SIGNATURE constant')[0]?.path).toBe(
    '/docs/alerts#check-the-signature',
  )
  for (const { name } of guides) expect(sections.map(({ path }) => path)).toContain(`/docs/${name}`)
})

test.each(['offline', 'air-gapped', 'without internet'])(
  'whoever looks for "%s" finds the guide',
  async (words) => {
    const { page } = await read(`/docs/search?q=${encodeURIComponent(words)}`)
    expect(results(page)).toContain('/docs/offline')
  },
)

test.each(['search-box.mjs', 'find-sections.mjs'])('%s is served as a script', async (file) => {
  const { answer, page } = await read(`/docs/assets/${file}`)
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(page).toContain('findSections')
})

test('every page but the first and the last leads to the one before and the one after', async () => {
  let path = '/docs'
  const seen = [path]
  for (;;) {
    const { page } = await read(path)
    const [next] = found(page, /href="([^"]*)" rel="next"/g)
    if (next === undefined) break
    expect(found((await read(next)).page, /href="([^"]*)" rel="prev"/g)).toEqual([path])
    path = next
    seen.push(path)
  }
  expect(seen).toEqual(['/docs', ...guides.map(({ name }) => `/docs/${name}`), '/docs/api'])
})

test('another method is refused with those that there are', async () => {
  const answer = await fetch(`${http.url}/docs/alerts`, { method: 'POST' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toContain('GET')
})
