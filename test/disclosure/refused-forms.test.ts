import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { request } from 'undici'
import { reportLimits } from '../../src/contract/disclosure/shapes.ts'
import { fileRoomOf } from '../../src/disclosure/reports/file-room.ts'
import { setCeilings } from '../../src/workspace/ceilings.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { SlowClient } from '../reliability/scenarios/slow-clients.ts'
import { startTestHttp } from '../support/http.ts'
import {
  described,
  multipart,
  openDisclosureScene,
  receiptPath,
  stampIn,
  type DisclosureScene,
} from './disclosure-scene.ts'

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
const megabyte = 1024 * 1024
let texts = 0
const words = () => ({ title: `Title ${(texts += 1)}`, description: `typed <i>words</i> ${texts}` })
const count = async () => (await scene.database.db.selectFrom('inbox_report').select('id').execute()).length
const open = async () => stampIn(await scene.get('/disclose/acme'))

describe('a form that is not taken keeps what was typed, and says why', () => {
  it('when it was open for more than a day', async () => {
    const stamp = await open()
    const before = await count()
    scene.wait(24 * 60 * minute + 1)
    const typed = words()
    const stale = await scene.post('/disclose/acme', { fields: { stamp, ...typed } })
    expect(stale.status).toBe(422)
    expect(stale.body).toContain('open for too long')
    expect(stale.body).toContain(`typed &#60;i&#62;words&#60;/i&#62; ${texts}`)
    expect(await count()).toBe(before)
    const again = await scene.post('/disclose/acme', { fields: { stamp: stampIn(stale), ...typed } })
    expect(again.status).toBe(303)
    expect(await scene.newestReport()).toMatchObject({ state: 'new', spam_reasons: [] })
  })

  it.each(['', 'forged', 'a.b.c.d'])('when its stamp was never handed out: %j', async (stamp) => {
    const before = await count()
    const answer = await scene.post('/disclose/acme', { fields: { stamp, ...words() } })
    expect(answer.status).toBe(422)
    expect(await count()).toBe(before)
  })

  it('when its stamp is of another workspace, another form, or changed', async () => {
    const other = stampIn(await scene.get('/disclose/umbrella'))
    const path = receiptPath(await scene.report('acme', words()))
    const message = stampIn(await scene.get(path))
    const own = await open()
    const changed = `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`
    scene.wait(minute)
    for (const stamp of [other, message, changed])
      expect((await scene.post('/disclose/acme', { fields: { stamp, ...words() } })).status).toBe(422)
  })

  it('when it was sent twice, also at the same moment', async () => {
    const stamp = await open()
    scene.wait(minute)
    const typed = words()
    const before = await count()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => scene.post('/disclose/acme', { fields: { stamp, ...typed } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(7).fill(409)])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toContain('sent before')
    expect(refused?.body).toContain('typed &#60;i&#62;')
    expect(await count()).toBe(before + 1)
  })

  it('when it is not UTF-8', async () => {
    const stamp = await open()
    scene.wait(minute)
    const { title } = words()
    const answer = await scene.post('/disclose/acme', {
      fields: { stamp, title, description: Buffer.from('K\xfche im Text', 'latin1') },
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('UTF-8')
    expect(answer.body).toContain('K�he im Text')
    expect(answer.body).toContain(title)
  })

  it.each(['0000-01-01', '2026-02-30', '10000-01-01', '+010000-01-01', '-000001-01-01', 'infinity'])(
    'when a day is not in the calendar: %s',
    async (embargoUntil) => {
      const before = await count()
      const { title } = words()
      const answer = await scene.report('acme', { title, embargoUntil })
      expect(answer.status).toBe(422)
      expect(answer.body).toContain(title)
      expect(await count()).toBe(before)
    },
  )

  it('though the first and the last day of the calendar are days', async () => {
    for (const embargoUntil of ['0001-01-01', '9999-12-31'])
      expect((await scene.report('acme', { ...words(), embargoUntil })).status).toBe(303)
  })

  it.each([
    ['one file', [10 * megabyte + 1], 413],
    ['all files', [8 * megabyte, 8 * megabyte, 5 * megabyte], 413],
    ['the number of files', [1, 1, 1, 1, 1, 1], 413],
    ['far too much', [10 * megabyte, 10 * megabyte, 10 * megabyte, 10 * megabyte], 413],
  ])('when it is too large: %s', async (_what, sizes, status) => {
    const stamp = await open()
    scene.wait(minute)
    const before = await count()
    const files = sizes.map((size, at) => ({ name: `${at}.bin`, bytes: Buffer.alloc(size) }))
    const answer = await scene.post('/disclose/acme', { fields: { stamp, ...words() }, files })
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(`typed &#60;i&#62;words&#60;/i&#62; ${texts}`)
    expect(await count()).toBe(before)
  })

  it('when it has far more text than a report takes: the beginning, and says which fields are cut', async () => {
    const stamp = await open()
    scene.wait(minute)
    const before = await count()
    const title = 'T&'.repeat(40_000)
    const long = ['product', 'version', 'impact', 'type', 'cve', 'toldOthers', 'creditName', 'contactName']
    const more = Object.fromEntries(long.map((name) => [name, '&'.repeat(120_000)]))
    const answer = await scene.post('/disclose/acme', { fields: { stamp, title, ...more } })
    expect(answer.status).toBe(413)
    expect(answer.body).toContain('T&#38;'.repeat(40_000))
    expect(answer.body).toMatch(/id="impact-problem">This is too long: only its beginning arrived\./)
    expect(answer.body).not.toContain('id="title-problem"')
    // what everybody waits for grows with it
    expect(answer.body.split('&#38;').length).toBeLessThan(256 * 1024)
    expect(await count()).toBe(before)
  })

  it('so does a message that is far longer than one may be', async () => {
    const path = receiptPath(await scene.report('acme', words()))
    const stamp = stampIn(await scene.get(path))
    scene.wait(minute)
    const answer = await scene.post(path, { fields: { stamp, text: 'M&'.repeat(100_000) } })
    expect(answer.status).toBe(413)
    expect(answer.body).toContain('M&#38;'.repeat(60_000))
    expect(answer.body).toContain('This is too long: only its beginning arrived.')
  })

  it('whole, where one field is several times as long as it may be', async () => {
    const { title } = words()
    const answer = await scene.report('acme', { title, description: 'é'.repeat(60_000) })
    expect(answer.status).toBe(422)
    expect(answer.body).toContain('é'.repeat(60_000))
    expect(answer.body).toContain('This is too long.')
  })

  it.each([
    ['en', 'a file is empty'],
    ['nb', 'En fil er tom'],
    ['de', 'Eine Datei ist leer'],
  ])('when a file is empty, said in %s', async (language, said) => {
    const stamp = await open()
    scene.wait(minute)
    const before = await count()
    const files = [
      { name: 'log.txt', bytes: Buffer.from('x') },
      { name: 'proof.py', bytes: Buffer.alloc(0) },
    ]
    const answer = await scene.post(`/disclose/acme?lang=${language}`, {
      fields: { stamp, ...words() },
      files,
    })
    expect(answer.status).toBe(422)
    expect(answer.body).toContain(said)
    expect(answer.body).toContain(`typed &#60;i&#62;words&#60;/i&#62; ${texts}`)
    expect(await count()).toBe(before)
  })

  it('not when the field for files is left empty', async () => {
    const stamp = await open()
    scene.wait(minute)
    const files = [{ name: '', bytes: Buffer.alloc(0) }]
    expect((await scene.post('/disclose/acme', { fields: { stamp, ...words() }, files })).status).toBe(303)
  })

  it('when it is not a form', async () => {
    const answer = await request(`${scene.http.url}/disclose/acme`, { method: 'POST', body: 'a=b' })
    expect(answer.statusCode).toBe(400)
    expect(await answer.body.text()).toContain('did not arrive as a form')
  })

  const form = 'multipart/form-data'
  it.each([
    ['no boundary', form],
    ['no boundary, but a semicolon', `${form};`],
    ['another parameter', `${form}; xboundary=1`],
    ['an empty boundary', `${form}; boundary=`],
    ['an empty boundary in quotes', `${form}; boundary=""`],
    ['quotes that do not end', `${form}; boundary="abc`],
    ['only spaces', `${form}; boundary="   "`],
    ['a boundary of 255 letters', `${form}; boundary=${'b'.repeat(255)}`],
    ['a boundary of 4 000 letters', `${form}; boundary=${'b'.repeat(4_000)}`],
    ['a boundary in an encoding that nobody knows', `${form}; boundary*=utf-99''%ff%fe`],
    ['a boundary in pieces', `${form}; boundary*0=a; boundary*1=b`],
    ['only signs', `${form};;;==;"";boundary`],
    ['letters of no alphabet', `${form}; boundary=\xff\xfe`],
    ['another type', 'multipart/mixed; boundary=1'],
    ['a type of forms without files', 'application/x-www-form-urlencoded'],
  ])('when its head cannot be read, and holds no place afterwards: %s', async (_what, type) => {
    const path = receiptPath(await scene.report('acme', words()))
    for (const to of ['/disclose/acme', path]) {
      const client = new SlowClient(scene.http.port)
      client.socket.write(
        `POST ${to} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 9\r\nConnection: close\r\n\r\n--1\r\n\r\nab`,
        'latin1',
      )
      await client.closed
      expect(client.answer, to).toMatch(/^HTTP\/1\.1 400 /)
      expect(await scene.http.metrics()).toMatch(/^sbom_monitor_request_bodies 0$/m)
    }
  })

  it.each([
    ['a name in an encoding that nobody knows', `filename*=utf-99''%ff; name="title"`],
    ['a name that cannot be decoded', `name*=utf-8''%zz`],
    ['no name', ''],
    ['a name of __proto__', 'name="__proto__"; filename="__proto__"'],
    ['a name of 7 000 letters', `name="${'n'.repeat(7_000)}"`],
    ['a name longer than heads may be', `name="${'n'.repeat(70_000)}"`],
  ])('when a part cannot be read, the service goes on: %s', async (_what, head) => {
    const body = `--b\r\nContent-Disposition: form-data; ${head}\r\nContent-Type: x; charset=utf-99\r\nContent-Transfer-Encoding: x\r\n\r\ntext\r\n--b--\r\n`
    const answer = await request(`${scene.http.url}/disclose/acme`, {
      method: 'POST',
      headers: { 'content-type': `${form}; boundary=b` },
      body,
    })
    await answer.body.dump()
    expect([400, 422]).toContain(answer.statusCode)
    expect(await scene.http.metrics()).toMatch(/^sbom_monitor_request_bodies 0$/m)
  })

  it('takes as much as it says: five files, twenty megabytes', async () => {
    const stamp = await open()
    scene.wait(minute)
    const files = [10, 7, 1, 1, 1].map((size, at) => ({
      name: `${at}.bin`,
      bytes: Buffer.alloc(size * megabyte, at),
    }))
    const answer = await scene.post('/disclose/acme', { fields: { stamp, ...words() }, files })
    expect(answer.status).toBe(303)
    const stored = await scene.database.db.selectFrom('inbox_attachment').select('size_bytes').execute()
    expect(stored.map((row) => row.size_bytes / megabyte).sort((a, b) => b - a)).toEqual([10, 7, 1, 1, 1])
  })
})

describe('without a usable key', () => {
  it.each([
    ['none is set', createSealing(null)],
    ['another one is set', createSealing(createKeyRing(parseKeys(newKeyText())))],
  ])('the form answers 503 with the contact address, and stores nothing: %s', async (_what, sealing) => {
    const stamp = await open()
    scene.wait(minute)
    const before = await count()
    const http = await startTestHttp({ database: scene.database, now: () => scene.clock.now, sealing })
    try {
      const page = await request(`${http.url}/disclose/acme`)
      expect(await page.body.text()).not.toContain('<form')
      const answer = await request(`${http.url}/disclose/acme`, {
        method: 'POST',
        ...multipart({ fields: { stamp, ...described } }),
      })
      expect(answer.statusCode).toBe(503)
      const body = await answer.body.text()
      expect(body).toContain('href="mailto:security@acme.example"')
      expect(body).toContain(described.description)
    } finally {
      await http.stop()
    }
    expect(await count()).toBe(before)
    const used = await scene.database.db.selectFrom('used_form').select('stamp').execute()
    expect(used.every((row) => !stamp.includes(row.stamp.toString('base64url')))).toBe(true)
  })
})

describe('the room that the operator gives the files of a workspace', () => {
  const send = async (slug: string, bytes: number) => {
    const stamp = stampIn(await scene.get(`/disclose/${slug}`))
    scene.wait(minute)
    const files = bytes === 0 ? [] : [{ name: 'proof.bin', bytes: Buffer.alloc(bytes, 1) }]
    return scene.post(`/disclose/${slug}`, { fields: { stamp, ...words() }, files })
  }
  const giveRoom = (max: number | null) =>
    setCeilings(scene.database.db, {
      workspaceId: scene.acme.id,
      ceilings: { files: max },
      now: scene.clock.now,
      actor: { kind: 'system', id: null, name: 'command line' },
    })
  const roomOf = () => fileRoomOf(scene.database.db, scene.acme.id)

  it('bounds what is stored: files are refused with the contact address, words are taken, and the neighbour is free', async () => {
    const { usedBytes } = await roomOf()
    await giveRoom(usedBytes + 1_500)
    expect((await send('acme', 1_000)).status).toBe(303)
    const full = await send('acme', 1_000)
    expect(full.status).toBe(413)
    expect(full.body).toContain('there is no room for files')
    expect(full.body).toContain('security@acme.example')
    expect(full.body).toContain(`typed &#60;i&#62;words&#60;/i&#62; ${texts}`)
    expect(await roomOf()).toEqual({ usedBytes: usedBytes + 1_000, maxBytes: usedBytes + 1_500 })
    expect((await send('acme', 0)).status).toBe(303)
    expect((await send('umbrella', 1_000)).status).toBe(303)
    await giveRoom(null)
    expect((await roomOf()).maxBytes).toBe(reportLimits.workspaceBytes)
    expect((await send('acme', 1_000)).status).toBe(303)
  })

  it('of two that arrive at once, only what there is room for is stored', async () => {
    const { usedBytes } = await roomOf()
    await giveRoom(usedBytes + 1_500)
    const answers = await Promise.all([send('acme', 1_000), send('acme', 1_000), send('acme', 1_000)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 413, 413])
    expect((await roomOf()).usedBytes).toBe(usedBytes + 1_000)
    await giveRoom(null)
  })
})
