import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/http.ts'
import { residentMegabytes } from '../reliability/scenarios/processes.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

const megabyte = 1024 * 1024

function kill(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

/** Over 4 MB inflated, so that it takes the large lane, and slow enough to be caught there. */
function largeSbom(components = 15_000): Buffer {
  return gzipSync(scene.sbom({ components, offset: scene.serial() * 50_000 }), { level: 1 })
}

/** proc(5): the nineteenth field; the second may contain spaces and ends at the last parenthesis. */
function nicenessOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5)
}

/** Generous enough for a machine busy with other tests. */
const patience = { timeout: 120_000 }

describe('the parser child', patience, () => {
  it('of large files is started by the first of them', async () => {
    expect(await scene.upload(scene.sbom())).toMatchObject({ status: 202 })
    expect(scene.http.parser.state().large.pid).toBeUndefined()
    expect(await scene.upload(largeSbom())).toMatchObject({ status: 202 })
    expect(scene.http.parser.state().large.pid).toBeDefined()
  })

  it.skipIf(process.platform !== 'linux')(
    'steps back behind the HTTP process with every thread',
    async () => {
      await until(() => scene.http.parser.state().isReady)
      const tasks = `/proc/${scene.http.parser.state().pid}/task`
      const niceness = readdirSync(tasks).map((thread) =>
        nicenessOf(readFileSync(`${tasks}/${thread}/stat`, 'utf8')),
      )
      expect(new Set(niceness)).toEqual(new Set([10]))
    },
  )

  it('is started again when it is killed; files that had not begun are not lost', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { pid } = scene.http.parser.state()
      kill(pid)
      expect(await scene.upload(scene.sbom())).toMatchObject({ status: 202 })
      expect(scene.http.parser.state().pid).not.toBe(pid)
    }
  })

  it('killed over a file: that one is 500 with Retry-After, waiting ones are stored', async () => {
    const doomed = scene.upload(largeSbom())
    await until(() => scene.http.parser.state().large.isReading)
    const waiting = scene.upload(largeSbom())
    await until(() => scene.http.parser.state().waitingFiles > 0)
    kill(scene.http.parser.state().large.pid)
    expect(await doomed).toMatchObject({
      status: 500,
      body: { error: 'internal' },
      headers: { 'retry-after': '1' },
    })
    expect(await waiting).toMatchObject({ status: 202 })
  })

  it('out of memory over a large file: that one is too complex, and small ones go on', async () => {
    const { pid } = scene.http.parser.state()
    const doomed = scene.upload(largeSbom())
    await until(() => scene.http.parser.state().large.isReading)
    // how V8 ends a process whose heap is full
    const large = scene.http.parser.state().large.pid
    if (large !== undefined) process.kill(large, 'SIGABRT')
    expect(await scene.upload(scene.sbom())).toMatchObject({ status: 202 })
    expect(await doomed).toMatchObject({ status: 400, body: { error: 'invalid_sbom' } })
    expect(scene.http.parser.state().pid).toBe(pid)
    expect(await scene.upload(largeSbom())).toMatchObject({ status: 202 })
  })

  it.skipIf(process.platform !== 'linux')('gives the memory of a large file back', async () => {
    expect(await scene.upload(largeSbom(45_000))).toMatchObject({ status: 202 })
    await until(() => residentMegabytes(scene.http.parser.state().large.pid ?? 0).now < 160)
  })

  it('hands on a body whose end says that it is small, and large bodies again after a death', async () => {
    const document = scene.sbom({ components: 15_000, offset: scene.serial() * 50_000 })
    const half = document.length >> 1
    const parts = [document.subarray(0, half), document.subarray(half, -10), document.subarray(-10)]
    const members = Buffer.concat(parts.map((part) => gzipSync(part, { level: 1 })))
    expect(await scene.upload(members)).toMatchObject({ status: 202 })

    const waiting = [largeSbom(), largeSbom()].map((body) => scene.upload(body))
    kill(scene.http.parser.state().large.pid)
    // a file it had started is lost with it, the waiting ones go to the next child
    for (const { status } of await Promise.all(waiting)) expect([202, 500]).toContain(status)
    expect(await scene.upload(largeSbom())).toMatchObject({ status: 202 })
  })

  it('reads small files while it reads a large one', async () => {
    const large = scene.upload(largeSbom(45_000))
    await until(() => scene.http.parser.state().large.isReading)
    const small = await scene.upload(scene.sbom())
    expect(small).toMatchObject({ status: 202 })
    expect(scene.http.parser.state().large.isReading).toBe(true)
    expect(await large).toMatchObject({ status: 202 })
  })
})

describe('too much at once', patience, () => {
  it('is turned away above 100 waiting files, and a workspace keeps its share', async () => {
    await until(() => scene.http.parser.state().isReady)
    const { pid } = scene.http.parser.state()
    // Process id 0 would signal the whole process group.
    if (pid === undefined) throw new Error('the parser child has no process id')
    const tokens = [await scene.token(), await scene.token(), await scene.token()]
    const foreign = await scene.token(scene.other)
    process.kill(pid, 'SIGSTOP')
    let refused = 0
    const mine = Array.from({ length: 120 }, async (_, place) => {
      const answer = await scene.upload(scene.sbom(), { token: tokens[place % 3] ?? '' })
      if (answer.status === 500) refused += 1
      return answer
    })
    await until(() => refused === 12)
    expect(scene.http.parser.state()).toMatchObject({ waitingFiles: 100, handedFiles: 8 })
    const theirs = scene.upload(scene.sbom(), { token: foreign })
    await until(() => refused === 13)
    process.kill(pid, 'SIGCONT')
    expect(await theirs).toMatchObject({ status: 202 })
    const answers = await Promise.all(mine)
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(107)
    const turnedAway = answers.find(({ status }) => status === 500)
    expect(turnedAway).toMatchObject({ body: { error: 'internal' }, headers: { 'retry-after': '5' } })
  })
})

describe('bombs', patience, () => {
  const fill = (unit: string, bytes = 49 * megabyte) => unit.repeat(Math.floor(bytes / unit.length))
  type Row = [name: string, status: number[], text: () => string]
  const rows: Row[] = [
    ['empty objects in a list', [400], () => `[${fill('{},')}{}]`],
    [
      'empty objects as components',
      [422],
      () => `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${fill('{},')}{}]}`,
    ],
    ['empty lists', [400], () => `[${fill('[],')}[]]`],
    ['opening brackets', [400], () => fill('[')],
    ['numbers', [400], () => `[${fill('1,')}1]`],
    [
      'objects up to the budget',
      [202, 400],
      () => cyclonedx({ x: 'X' }).replace('"X"', `[${'{},'.repeat(1_990_000)}{}]`),
    ],
    ['one string', [202], () => cyclonedx({ x: 'a'.repeat(49 * megabyte) })],
    ['spaces', [400], () => ' '.repeat(49 * megabyte)],
  ]
  it.each(rows)('%s', async (_name, statuses, text) => {
    const answer = await scene.upload(gzipSync(text(), { level: 3 }))
    expect(statuses).toContain(answer.status)
    expect(await call(`${scene.http.url}/readyz`)).toMatchObject({ status: 200 })
  })

  const vexRows: Row[] = [
    [
      'empty objects as statements',
      [422],
      () => `{"@context":"https://openvex.dev/ns/v0.2.0","statements":[${fill('{},')}{}]}`,
    ],
    [
      'a product named by every statement, over and over',
      [400],
      () => openvexOfOneProduct({ statements: 4_000, products: 480 }),
    ],
  ]
  it.each(vexRows)('on /vex: %s', async (_name, statuses, text) => {
    const answer = await scene.uploadVex(gzipSync(text(), { level: 3 }))
    expect(statuses).toContain(answer.status)
    expect(await call(`${scene.http.url}/readyz`)).toMatchObject({ status: 200 })
  })

  it('a gigabyte of zeros in zstd on /vex is too large', async () => {
    const part = zstdCompressSync(Buffer.alloc(48 * megabyte))
    const answer = await scene.uploadVex(Buffer.concat(Array.from({ length: 22 }, () => part)))
    expect(answer).toMatchObject({ status: 413, body: { error: 'too_large' } })
  })

  it('a gigabyte of zeros in gzip is too large', async () => {
    const part = gzipSync(Buffer.alloc(48 * megabyte))
    const answer = await scene.upload(Buffer.concat(Array.from({ length: 22 }, () => part)))
    expect(answer).toMatchObject({ status: 413, body: { error: 'too_large' } })
  })

  it.skipIf(process.platform !== 'linux')('leave the memory of the children below 512 MB', () => {
    const { pid = 0, large } = scene.http.parser.state()
    const peaks = [pid, large.pid ?? 0].map((one) => residentMegabytes(one).peak)
    expect(Math.max(...peaks)).toBeLessThan(512)
  })
})

/** Far more targets than statements: the targets of a document have their own limit. */
function openvexOfOneProduct({ statements, products }: { statements: number; products: number }): string {
  const statement = {
    vulnerability: 'CVE-2026-1',
    status: 'fixed',
    products: Array.from({ length: products }, () => 'pkg:npm/a'),
  }
  return JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: Array.from({ length: statements }, () => statement),
  })
}
