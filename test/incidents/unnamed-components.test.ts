import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entryWords } from '../../src/contract/incidents/entry-words.ts'
import { createCompany, type Company } from '../support/company.ts'
import { record } from '../vulndata/support.ts'
import { Arrivals } from './arrivals.ts'

let arrivals: Arrivals
beforeAll(async () => {
  arrivals = await Arrivals.open()
})
afterAll(() => arrivals.close())

let count = 0
let company: Company
let cve: string
let name: string
beforeEach(async () => {
  count += 1
  company = await createCompany(arrivals.db, `acme-${count}`)
  cve = `CVE-2025-${count + 2_000}`
  name = `pump-lib-${count}`
  await arrivals.list(cve)
})

/** The record of the CVE as it is now, by its package. */
async function publish(more: Record<string, unknown> = {}, of = name): Promise<void> {
  await load(more, of)
  await arrivals.work()
}

async function load(more: Record<string, unknown>, of = name): Promise<void> {
  const ghsa = `GHSA-${String(count).padStart(4, '2')}-xxxx-yyyy`
  const stated = { aliases: [cve], modified: arrivals.now().toISOString(), ...more }
  await arrivals.load(record(ghsa, `npm/${of}`, stated))
}

const upload = (version = '1.0.0', product = '1.0') => arrivals.upload(company, [[name, version]], product)

async function timeline(): Promise<string[]> {
  const rows = await arrivals.db
    .selectFrom('incident_entry')
    .select(['kind', 'data'])
    .where('workspace_id', '=', company.workspaceId)
    .orderBy('id')
    .execute()
  return rows.slice(1).map(({ kind, data }) => entryWords({ kind, data }))
}

const unnamed = (where: string) => `No record names ${where} any more.`
const namedAgain = (where: string) => `A record names ${where} again.`

test('a record that is withdrawn and comes back is noted once each, for all components in one line', async () => {
  await publish()
  await upload()
  await upload('1.0.0', '2.0')
  await publish({ withdrawn: arrivals.now().toISOString() })
  const joined = ['Also affected: ' + `${name} 1.0.0 in version 2.0.`]
  const both = `${name} 1.0.0 in version 1.0, ${name} 1.0.0 in version 2.0`
  expect(await timeline()).toEqual([...joined, unnamed(both)])
  await publish({ withdrawn: arrivals.now().toISOString(), summary: 'Other words' })
  expect(await timeline()).toHaveLength(2)
  await publish()
  expect(await timeline()).toEqual([...joined, unnamed(both), namedAgain(both)])
  await publish({ withdrawn: arrivals.now().toISOString() })
  expect(await timeline()).toEqual([...joined, unnamed(both), namedAgain(both), unnamed(both)])
})

test('so is one that moves to another package', async () => {
  await publish()
  await upload()
  await publish({}, `${name}-other`)
  const lib = `${name} 1.0.0 in version 1.0`
  expect(await timeline()).toEqual([unnamed(lib)])
  await publish()
  expect(await timeline()).toEqual([unnamed(lib), namedAgain(lib)])
})

test('a component that leaves meanwhile is not named again, and one that comes back is not until a record names it', async () => {
  await publish()
  await upload()
  await publish({ withdrawn: arrivals.now().toISOString() })
  await upload('2.0.0')
  await upload('1.0.0')
  const lib = `${name} 1.0.0 in version 1.0`
  const told = [unnamed(lib), `No longer in the active SBOM: ${lib}.`, `Back in the active SBOM: ${lib}.`]
  expect(await timeline()).toEqual(told)
  await publish()
  expect(await timeline()).toEqual([...told, namedAgain(lib)])
})

describe('a change that names the listed CVE, while it waits to be matched', () => {
  let other: Company

  /** Another component of the product is affected by the vulnerability `named`. */
  async function change(named: string, more: Record<string, unknown>, of = name): Promise<void> {
    other = await createCompany(arrivals.db, `beta-${count}`)
    const listed = `GHSA-${String(count).padStart(4, '3')}-xxxx-yyyy`
    await arrivals.load(record(listed, `npm/valve-${count}`, { aliases: [named] }))
    await publish({ aliases: [listed] })
    for (const each of [company, other])
      await arrivals.upload(each, [
        [name, '1.0.0'],
        [`valve-${count}`, '1.0.0'],
      ])
    await load({ aliases: [listed, cve], ...more }, of)
    await arrivals.list(`CVE-2020-${count + 1_000}`)
    await arrivals.work(['match_packages'])
  }

  async function affected(): Promise<string[][]> {
    const rows = await arrivals.db
      .selectFrom('incident_affected')
      .select(['workspace_id', 'component'])
      .orderBy('component')
      .execute()
    return [company, other].map(({ workspaceId }) =>
      rows.filter((row) => row.workspace_id === workspaceId).map(({ component }) => component),
    )
  }

  test.each<[string, Record<string, unknown>, string]>([
    ['leaves the component out', { fixed: '1.0.0' }, ''],
    ['moves to another package', {}, '-other'],
  ])('opens nothing where it %s, until it is back', async (_, more, suffix) => {
    await change(`CVE-2019-${count + 1_000}`, more, name + suffix)
    expect(await affected()).toEqual([[], []])
    await arrivals.work()
    expect(await affected()).toEqual([[], []])
    await publish()
    expect(await affected()).toEqual([[name], [name]])
  })

  test('opens at once where the component is still affected', async () => {
    await change(`CVE-2019-${count + 1_000}`, { fixed: '1.0.1' })
    expect(await affected()).toEqual([[name], [name]])
  })

  test('adds nothing to an incident that is open on another component', async () => {
    await change(cve, { fixed: '1.0.0' })
    expect(await affected()).toEqual([[`valve-${count}`], [`valve-${count}`]])
  })
})
