import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDisclosureScene, receiptPath, stampIn, type DisclosureScene } from './disclosure-scene.ts'

let scene: DisclosureScene
beforeAll(async () => {
  scene = await openDisclosureScene()
})
afterAll(() => scene.close())
// outside the hourly limits
beforeEach(() => {
  scene.wait(2 * 3_600_000)
})

const minute = 60_000
let texts = 0
const words = () => ({ title: `Title ${(texts += 1)}`, description: `typed <i>words</i> ${texts}` })
const open = async () => stampIn(await scene.get('/disclose/acme'))

describe('what is taken for spam', () => {
  it.each<[string, Record<string, string>, number, string]>([
    ['a form that nobody can have read', {}, 2_999, 'too_fast'],
    ['a field that nobody sees', { website: 'x' }, minute, 'hidden_field'],
    ['links of forum software', { impact: '[url=https://x.example]x[/url]' }, minute, 'foreign_markup'],
    ['very many links', { impact: 'https://x.example '.repeat(21) }, minute, 'many_links'],
  ])('%s', async (_what, more, ms, reason) => {
    const stamp = await open()
    scene.wait(ms)
    expect((await scene.post('/disclose/acme', { fields: { stamp, ...words(), ...more } })).status).toBe(303)
    expect(await scene.newestReport()).toMatchObject({ state: 'spam', spam_reasons: [reason] })
  })

  it('three seconds are enough, and the markup of a proof is not spam', async () => {
    const stamp = await open()
    scene.wait(3_000)
    const impact = '<script>alert(1)</script> <a href="https://x.example">x</a>'
    await scene.post('/disclose/acme', { fields: { stamp, ...words(), impact } })
    expect(await scene.newestReport(), 'a proof').toMatchObject({ state: 'new' })
  })

  it('the same text again, whatever its spaces and capitals', async () => {
    const typed = words()
    await scene.report('acme', typed)
    await scene.report('acme', { ...typed, description: `  ${typed.description.toUpperCase()}  ` })
    expect(await scene.newestReport(), 'again').toMatchObject({ state: 'spam', spam_reasons: ['same_text'] })
    await scene.report('umbrella', typed)
    expect(await scene.newestReport(), 'elsewhere').toMatchObject({ state: 'new' })
  })

  it('more than five of one address in an hour; more than twenty are refused, and others are not', async () => {
    const address = (text: string) => ({ headers: { 'x-forwarded-for': text } })
    const send = async (from: string) => {
      const stamp = await open()
      scene.wait(4_000)
      return scene.post('/disclose/acme', { fields: { stamp, ...words() }, ...address(from) })
    }
    for (let sent = 0; sent < 5; sent += 1) await send('192.0.2.1')
    expect(await scene.newestReport(), 'the fifth').toMatchObject({ state: 'new' })
    await send('192.0.2.1')
    expect(await scene.newestReport(), 'the sixth').toMatchObject({
      state: 'spam',
      spam_reasons: ['many_from_address'],
    })
    for (let sent = 6; sent < 20; sent += 1) expect((await send('192.0.2.1')).status).toBe(303)
    const refused = await send('192.0.2.1')
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('3600')
    expect(refused.body).toContain(`typed &#60;i&#62;words&#60;/i&#62; ${texts}`)
    await send('192.0.2.2')
    expect(await scene.newestReport(), 'another address').toMatchObject({ state: 'new' })
  })
})

it('networks of one site of IPv6 fill no workspace, and leave the form to others', async () => {
  const send = async (from: string) => {
    const stamp = stampIn(await scene.get('/disclose/umbrella'))
    scene.wait(4_000)
    const headers = { 'x-forwarded-for': from }
    return (await scene.post('/disclose/umbrella', { fields: { stamp, ...words() }, headers })).status
  }
  const statuses = []
  for (let sent = 0; sent < 40; sent += 1) statuses.push(await send(`2001:db8:1:${sent.toString(16)}::1`))
  expect(statuses.filter((status) => status === 303)).toHaveLength(25)
  expect(await scene.newestReport()).toMatchObject({ state: 'spam', spam_reasons: ['many_from_address'] })
  expect(await send('2001:db8:2::1')).toBe(303)
  expect(await scene.newestReport()).toMatchObject({ state: 'new' })
})

describe('a link that was guessed', () => {
  it('leads nowhere, and is refused after twenty tries of an address', async () => {
    const path = receiptPath(await scene.report('acme', words()))
    const from = { 'x-forwarded-for': '192.0.2.9' }
    const guess = () => scene.get(`/disclose/acme/reports/${'A'.repeat(43)}`, from)
    for (let tried = 0; tried < 20; tried += 1) expect((await guess()).status).toBe(404)
    const refused = await guess()
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('3600')
    expect((await scene.get(`/disclose/acme/reports/${'A'.repeat(43)}`)).status).toBe(404)
    expect((await scene.get(path)).status).toBe(200)
    for (const hostile of ['..%2f', '%00', 'x'.repeat(5_000), `${'A'.repeat(43)}?`])
      expect([404, 429]).toContain((await scene.get(`/disclose/acme/reports/${hostile}`)).status)
  })
})
