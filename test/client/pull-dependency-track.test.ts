import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receipt, refusal, StubService } from './stub-service.ts'
import { StubTracker } from './stub-tracker.ts'
import { textWith } from '../support/expected.ts'
import { objectIn } from '../support/read-as.ts'

let stub: StubService
let tracker: StubTracker
let state: string

const uuid = (number: number) => `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`

beforeAll(async () => {
  stub = await StubService.open()
  tracker = await StubTracker.open()
  state = join(stub.folder, 'state.json')
})
afterAll(() => {
  stub.close()
  tracker.close()
})
beforeEach(() => {
  stub.reset()
  tracker.reset()
  rmSync(state, { force: true })
  stub.replies = [{ status: 202, body: receipt() }]
  tracker.projects = [
    { uuid: uuid(1), name: 'pump', version: '1.0', lastBomImport: 1000, tags: ['edge'] },
    { uuid: uuid(2), name: 'fan', lastBomImport: 2000 },
    { uuid: uuid(3), name: 'empty' },
    { uuid: uuid(4), name: 'old', active: false, lastBomImport: 3000 },
  ]
  for (const number of [1, 2, 4]) tracker.boms.set(uuid(number), [`part-${number}`])
})

const pull = (args: string[] = [], env: Record<string, string> = {}, readingMs?: number) =>
  stub.client(['pull-dependency-track', '--state', state, ...args], {
    ...(readingMs === undefined ? {} : { readingMs }),
    env: { DEPENDENCY_TRACK_URL: tracker.address, DEPENDENCY_TRACK_KEY: tracker.key, ...env },
  })

const sent = () =>
  stub.received.map(({ headers, body }) => ({
    version: headers['x-service-version'],
    source: headers['x-service-source'],
    repository: headers['x-service-repo'],
    bom: objectIn(gunzipSync(body).toString()),
  }))

describe('pull-dependency-track', () => {
  it('sends the BOM of every active project that has one, with version and name of the project', async () => {
    const { exitCode, out } = await pull()
    expect(exitCode).toBe(0)
    expect(sent()).toMatchObject([
      {
        version: '1.0',
        source: 'sbom_tracker',
        repository: 'pump',
        bom: { components: [{ name: 'part-1' }] },
      },
      { version: undefined, repository: 'fan', bom: { components: [{ name: 'part-2' }] } },
    ])
    expect(out).toMatch(/Sent +pump 1\.0: 3 components\n/)
    expect(out).toMatch(/2 projects with a BOM: 2 sent, 0 unchanged, 0 failed\n$/)
  })

  it('sends again only what changed since', async () => {
    await pull()
    tracker.asked = []
    const again = await pull()
    expect(again.out).toMatch(/0 sent, 2 unchanged/)
    expect(tracker.asked.filter((address) => address.includes('/bom/'))).toEqual([])

    tracker.projects[1] = { uuid: uuid(2), name: 'fan', lastBomImport: 2500 }
    tracker.boms.set(uuid(2), ['part-2', 'new'])
    expect((await pull()).out).toMatch(/Sent +fan: .*\n.*1 sent, 1 unchanged/)
    expect(sent()).toHaveLength(3)
  })

  it('an import of the same content is not sent again, though each export differs', async () => {
    await pull()
    tracker.projects[0] = { uuid: uuid(1), name: 'pump', version: '1.0', lastBomImport: 1500 }
    expect((await pull()).out).toMatch(/0 sent, 2 unchanged/)
    expect(sent()).toHaveLength(2)
    // nor exported again
    tracker.asked = []
    expect((await pull()).out).toMatch(/0 sent, 2 unchanged/)
    expect(tracker.asked.filter((address) => address.includes('/bom/'))).toEqual([])
  })

  it('reads every page', async () => {
    tracker.projects = Array.from({ length: 205 }, (_, number) => ({
      uuid: uuid(number),
      name: `p${number}`,
      lastBomImport: 1,
    }))
    for (const project of tracker.projects) tracker.boms.set(project.uuid, [project.name])
    const { out } = await pull(['--timeout', '86400'])
    expect(out).toMatch(/205 projects with a BOM: 205 sent/)
  })

  it.each([
    [10_000, 0, /0 projects with a BOM/],
    [10_001, 2, /there are more than 10000 projects; choose some by --tag or --project/],
  ])('of %i projects it ends with %i', async (count, expected, said) => {
    tracker.projects = Array.from({ length: count }, (_, number) => ({
      uuid: uuid(number),
      name: `p${number}`,
    }))
    const { exitCode, out, err } = await pull()
    expect(`${out}${err}`).toMatch(said)
    expect(exitCode).toBe(expected)
  })

  it.each<[string[], string[]]>([
    [['--tag', 'edge'], ['pump']],
    [['--project', uuid(2)], ['fan']],
    [
      ['--project', uuid(2), '--project', uuid(1)],
      ['fan', 'pump'],
    ],
    [['--project', uuid(3)], []],
  ])('%j chooses %j', async (args, names) => {
    expect((await pull(args)).exitCode).toBe(0)
    expect(sent().map(({ repository }) => repository)).toEqual(names)
  })

  it('one that fails holds up no other, and is tried again in the next run', async () => {
    tracker.boms.set(uuid(1), 403)
    const first = await pull()
    expect(first.exitCode).toBe(3)
    expect(first.out).toMatch(/Failed +pump 1\.0: Dependency-Track answered 403: .*VIEW_PORTFOLIO/)
    expect(first.out).toMatch(/1 sent, 0 unchanged, 1 failed/)
    tracker.boms.set(uuid(1), ['part-1'])
    expect((await pull()).out).toMatch(/1 sent, 1 unchanged, 0 failed/)
  })

  it('a refusal of the service is said, and the project is not taken for copied', async () => {
    stub.replies = [{ status: 415, body: refusal('unsupported_format', 'No.', 'CycloneDX 1.3') }]
    const refused = await pull(['--project', uuid(1), '--json'])
    expect(refused.exitCode).toBe(3)
    expect(JSON.parse(refused.out)).toMatchObject({
      command: 'pull-dependency-track',
      projects: [
        {
          project: 'pump',
          version: '1.0',
          outcome: 'failed',
          message: textWith('CycloneDX 1.3'),
        },
      ],
      exitCode: 3,
    })
    stub.replies = [{ status: 202, body: receipt() }]
    expect((await pull(['--project', uuid(1)])).out).toMatch(/1 sent/)
  })

  it.each([401, 402, 404, 429])(
    'a refusal of the token (%i) ends the run: no further BOM is exported for nothing',
    async (status) => {
      stub.replies = [{ status, body: refusal('refused', 'No.'), headers: { 'retry-after': '3600' } }]
      const { exitCode, out } = await pull(['--timeout', '20'])
      expect(exitCode).toBe(3)
      expect(out).toMatch(/0 sent, 0 unchanged, 1 failed, 1 left for the next run/)
      expect(stub.received).toHaveLength(1)
      stub.replies = [{ status: 202, body: receipt() }]
      expect((await pull()).out).toMatch(/2 sent, 0 unchanged, 0 failed$/m)
    },
  )

  it('ends when --timeout is over: what is left is not called failed after no time at all', async () => {
    tracker.projects = Array.from({ length: 12 }, (_none, at) => ({
      uuid: uuid(at),
      name: `pump ${at}`,
      lastBomImport: 1000,
    }))
    for (const { uuid: id } of tracker.projects) tracker.boms.set(id, ['part'])
    const { exitCode, out } = await pull(['--timeout', '20', '--json'], {}, 2_000)
    const { projects } = objectIn(out)
    const outcomes = (projects as { outcome: string }[]).map(({ outcome }) => outcome)
    const sentCount = sent().length
    expect(sentCount).toBeGreaterThan(0)
    expect(outcomes).toEqual([
      ...Array.from({ length: sentCount }, () => 'sent'),
      ...Array.from({ length: 12 - sentCount }, () => 'not_tried'),
    ])
    expect(outcomes).toContain('not_tried')
    expect(exitCode).toBe(4)
    expect((await pull()).out).toMatch(/, 0 failed$/m)
  })

  it('one file keeps what was copied to several services apart', async () => {
    await pull()
    const other = await StubService.open()
    try {
      other.replies = [{ status: 202, body: receipt() }]
      const env = { DEPENDENCY_TRACK_URL: tracker.address, DEPENDENCY_TRACK_KEY: tracker.key }
      const { out } = await other.client(['pull-dependency-track', '--state', state], { env })
      expect(out).toMatch(/2 sent/)
      expect((await pull()).out).toMatch(/2 unchanged/)
    } finally {
      other.close()
    }
    expect(readFileSync(state, 'utf8')).not.toMatch(/svc_|odt_key/)
  })

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['a wrong key', [], { DEPENDENCY_TRACK_KEY: 'odt_other' }, /answered 401: .*DEPENDENCY_TRACK_KEY/],
    ['an unknown project', ['--project', uuid(9)], {}, /answered 404/],
  ])('%s ends with 3', async (_what, args, env, words) => {
    const { exitCode, err } = await pull(args, env)
    expect(exitCode).toBe(3)
    expect(err).toMatch(words)
    expect(err).not.toMatch(/odt_/)
  })

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no key', [], { DEPENDENCY_TRACK_KEY: '' }, /set DEPENDENCY_TRACK_KEY/],
    ['no address', [], { DEPENDENCY_TRACK_URL: '' }, /set DEPENDENCY_TRACK_URL/],
    ['plain http', ['--tracker', 'http://dtrack.example'], {}, /Dependency-Track must start with https/],
    ['a name for a project', ['--project', 'pump'], {}, /--project takes the UUID/],
    ['a file', ['bom.json'], {}, /expected no file/],
    ['a key as an option', ['--key', 'odt_key'], {}, /read from the environment only/],
  ])('%s ends with 2, and nothing is asked', async (_what, args, env, words) => {
    const { exitCode, err } = await pull(args, env)
    expect(exitCode).toBe(2)
    expect(err).toMatch(words)
    expect(tracker.asked).toEqual([])
  })

  it.each([
    '{"bomFormat":"CycloneDX"}',
    '{"version":1,"copied":null}',
    '{"version":1,"copied":[]}',
    '{"version":1,"copied":{"https://a https://b":5}}',
  ])('a file that is not a state file is left alone: %s', async (text) => {
    writeFileSync(state, text)
    const { exitCode, err } = await pull()
    expect(exitCode).toBe(2)
    expect(err).toMatch(/is not a state file/)
    expect(readFileSync(state, 'utf8')).toBe(text)
  })

  it('a state that cannot be written is said before anything is asked', async () => {
    const { exitCode, err } = await pull(['--state', join(stub.folder, 'no', 'such', 'folder', 'state.json')])
    expect(exitCode).toBe(2)
    expect(err).toMatch(/the state file cannot be written: ENOENT/)
    expect(tracker.asked).toEqual([])
  })
})
