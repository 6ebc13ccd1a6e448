import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listVulnerabilities } from '../../src/vulnerabilities/list-vulnerabilities.ts'
import { listFindings, selectFindingIds } from '../../src/findings/reads/list-findings.ts'
import { FindingScene, simple } from '../support/finding-scene.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { npm } from '../support/parts.ts'

let scene: FindingScene
let sbomId: string

const severities = ['critical', 'high', 'low'] as const

/** 90 CVEs of each severity, a third of them scored; the last ten low ones are exploited. */
beforeAll(async () => {
  scene = await FindingScene.open()
  await scene.next()
  const scores = []
  for (const [place, severity] of severities.entries()) {
    for (let at = 0; at < 90; at += 1) {
      const number = 1000 * (place + 1) + at
      const cve = `CVE-2024-${number}`
      await addRecord(scene.db, {
        ...simple(`GHSA-${number}`, `part-${number}`, { severity, aliases: [cve] }),
        group: cve,
      })
      if (at % 3 === 0) scores.push({ cve_id: cve, score: ((at * 7) % 90) / 100, percentile: 0.5 })
      if (severity === 'low' && at >= 80) await addExploited(scene.db, { source: 'kev', cveId: cve })
    }
  }
  await scene.db.insertInto('epss').values(scores).execute()
  const parts = severities.flatMap((_severity, place) =>
    Array.from({ length: 90 }, (_part, at) => npm(`part-${1000 * (place + 1) + at}`, '1.0.0')),
  )
  sbomId = await scene.upload(parts)
})
afterAll(() => scene.close())

type Row = {
  exploitedBy: readonly string[]
  severity: string
  epss: { score: number } | null
}

/** The full sort order: exploited, severity, EPSS, id. */
const orderOf = (id: string, { exploitedBy, severity, epss }: Row) => [
  exploitedBy.length > 0 ? 0 : 1,
  severities.indexOf(severity as (typeof severities)[number]),
  -(epss?.score ?? -1),
  Number(id.slice(-4)),
]

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, place) => value !== b[place])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

async function everyPage<T>(
  read: (cursor: string | undefined) => Promise<{ rows: T[]; nextCursor: string | null }>,
) {
  const rows: T[] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    rows.push(...page.rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return rows
}

describe('the default order is exploited, severity, EPSS, id', () => {
  it('of the findings of an SBOM, over all pages', async () => {
    const rows = await everyPage((cursor) =>
      listFindings(scene.db, { workspaceId: scene.workspaceId, sbomId, cursor }),
    )
    expect(new Set(rows.map(({ id }) => id)).size).toBe(270)
    const keys = rows.map((row) => orderOf(row.title, row))
    expect(keys).toEqual(keys.toSorted(compare))
    expect(rows.filter(({ epss }) => epss !== null)).toHaveLength(90)
  })

  it('of the vulnerabilities of a workspace, over all pages', async () => {
    const rows = await everyPage((cursor) =>
      listVulnerabilities(scene.db, {
        workspaceId: scene.workspaceId,
        verdict: 'open',
        sort: 'urgency',
        cursor,
      }),
    )
    expect(new Set(rows.map(({ id }) => id)).size).toBe(270)
    const keys = rows.map((row) => orderOf(row.id, row))
    expect(keys).toEqual(keys.toSorted(compare))
  })
})

describe('the ids of all findings that fit a filter', () => {
  const ids = (query: Partial<Parameters<typeof selectFindingIds>[1]>) =>
    selectFindingIds(scene.db, { workspaceId: scene.workspaceId, sbomId, ...query })

  it('are those of every page, and name the exploited ones', async () => {
    const all = await ids({})
    expect(new Set(all.ids).size).toBe(270)
    expect(all.exploited).toHaveLength(10)
    const low = await ids({ severity: 'low', search: 'part-308' })
    expect(low.ids).toHaveLength(10)
    expect(low.exploited.toSorted()).toEqual(low.ids.toSorted())
  })

  it('include none of another workspace', async () => {
    const none = await ids({ workspaceId: '00000000-0000-7000-8000-000000000000' })
    expect(none).toEqual({ ids: [], exploited: [] })
  })
})
