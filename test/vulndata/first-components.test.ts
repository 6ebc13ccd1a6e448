import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { vulndataSchedule } from '../../src/vulndata/scheduled.ts'
import { testNow } from '../support/clock.ts'
import { testSealing } from '../support/http.ts'
import { serveFiles } from './feed-scene.ts'
import { addIdentity, importDeps, mirrorOf, record, serve, takeJobs } from './support.ts'

const scene = serveFiles()

const after = (seconds: number) => new Date(testNow.getTime() + seconds * 1000)
const deps = () => importDeps(scene.db, { osv: scene.server.url, nvd: scene.server.url })

async function refresh(seconds: number): Promise<void> {
  for (const source of ['osv', 'nvd']) await refreshSource(deps(), { source, now: after(seconds) })
}

/** Jobs ordered by a tick of the schedule. */
async function ordered(seconds: number): Promise<unknown[]> {
  const config = { ...readConfig({}).config, ...deps().config }
  for (const { run } of vulndataSchedule)
    await run({ db: scene.db, config, sealing: testSealing }, after(seconds))
  return (await takeJobs(scene.db)).map(({ payload }) => payload)
}

test('an ecosystem is asked for as soon as its first component is there, and then at the turns of its source', async () => {
  await refresh(0)
  expect(await ordered(30)).toEqual([])
  await addIdentity(scene.db, 'npm', 'minimist')
  expect(await ordered(60)).toEqual([{ source: 'osv' }])
  // nothing is at the address: the attempt counts
  await refresh(61)
  expect(await ordered(90)).toEqual([])
  expect(await ordered(61 + 600)).toEqual([{ source: 'osv' }, { source: 'nvd' }])
})

test('components that no ecosystem of the source can have order nothing', async () => {
  await refresh(0)
  await addIdentity(scene.db, '../npm', 'minimist')
  expect(await ordered(30)).toEqual([])
})

test('an ecosystem without a component is asked for at no turn', async () => {
  const offered = ['npm', 'Wolfi', 'Chainguard', 'Debian', 'PyPI']
  const mirror = await serve({ 'ecosystems.txt': offered.join('\n') })
  try {
    for (const name of offered) {
      const records = [record(`OSV-${name}`, `${name}/minimist`)]
      for (const [path, content] of Object.entries(mirrorOf(name, records))) mirror.files.set(path, content)
    }
    const turn = (seconds: number) =>
      refreshSource(importDeps(scene.db, { osv: mirror.url }), { source: 'osv', now: after(seconds) })
    await turn(0)
    expect(mirror.asked).toEqual([])
    await addIdentity(scene.db, 'npm', 'minimist')
    for (const seconds of [60, 700, 25 * 3_600]) await turn(seconds)
    expect(mirror.asked).toContain('GET npm/all.zip')
    expect(mirror.asked.filter((each) => !/^(GET|HEAD) npm\//.test(each))).toEqual([])
    const { rows } = await sql<{ source: string }>`select distinct source from vulnerability`.execute(
      scene.db,
    )
    expect(rows).toEqual([{ source: 'osv:npm' }])
  } finally {
    mirror.close()
  }
})

test('NVD is asked for as soon as the first component is named by CPE, and then at its turns', async () => {
  await refresh(0)
  expect(await ordered(30)).toEqual([])
  await addIdentity(scene.db, 'cpe', 'a:acme:pump')
  expect(await ordered(60)).toEqual([{ source: 'nvd' }])
  // nothing is at the address: the attempt counts
  await refresh(61)
  expect(await ordered(90)).toEqual([])
  expect(await ordered(61 + 600)).toContainEqual({ source: 'nvd' })
})
