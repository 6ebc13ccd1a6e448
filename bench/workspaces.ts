import { AppSession } from '../test/support/app-session.ts'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { cloneWorkspace } from './clone-workspace.ts'
import { importFindings } from './findings.ts'
import type { Laboratory } from './laboratory.ts'
import { median, percentile, report, round, say } from './report.ts'
import { perRound, sendAll, sendRound, tokensPerRound, untilAllMatched } from './small-uploads.ts'

const families = 20
const components = 500
/** Products of one company have most of their components in common. */
const ownComponents = 50
const firstComponent = 70_000_000
const rounds = 3
const asked = 8
const person = { email: 'owner@many.example', password: 'a long enough password' }

type Provisioned = { workspaces: { id: string; families: { id: string; tokens: { token: string }[] }[] }[] }

/**
 * What the pages of one workspace ask for among 1 000 of 20 families of 500 components each (another number in BENCH_WORKSPACES), and
 * uploads there beside those into the store before it was filled.
 */
export async function benchWorkspaces(laboratory: Laboratory): Promise<void> {
  const workspaces = Number(process.env['BENCH_WORKSPACES'] ?? 1_000)
  await importFindings(laboratory, { first: firstComponent, count: 2_000, every: 10 })
  const seed = await seedWorkspace(laboratory)
  const before = await uploadRates(laboratory, 71_000_000)
  say(`copying a workspace ${workspaces - 1} times`)
  const admin = await laboratory.admin()
  const startedAt = performance.now()
  await cloneWorkspace(admin, { ...seed, copies: workspaces - 1 })
  await admin.query('checkpoint')
  const { rows } = await admin.query<{ components: string; bytes: string }>(
    `select count(*) as components, pg_database_size(current_database()) as bytes from component`,
  )
  await admin.end()
  say(`took ${Math.round((performance.now() - startedAt) / 1000)} s: ${JSON.stringify(rows[0])}`)
  await measurePages(laboratory, workspaces)
  const after = await uploadRates(laboratory, 72_000_000)
  report({
    figure: `uploads_among_${workspaces}_workspaces_c8`,
    value: median(after),
    unit: 'uploads/s',
    runs: rounds,
    ratio: { of: 'uploads into the store before', value: round(median(after) / median(before)) },
    detail: { components: Number(rows[0]?.components), bytes: Number(rows[0]?.bytes) },
  })
}

async function seedWorkspace({
  service,
  sql,
}: Laboratory): Promise<{ workspaceId: string; personId: string; slug: string }> {
  const slug = 'many'
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [
      {
        slug,
        companyName: 'Many',
        securityContactEmail: 'bench@example.com',
        plan: 'plus',
        members: [{ ...person, name: 'Owner', role: 'owner' }],
        families: Array.from({ length: families }, (_, index) => ({
          name: `Product ${index}`,
          tokens: [{ name: 'bench' }],
        })),
      },
    ],
  })
  const workspace = workspaces[0]
  if (workspace === undefined) throw new Error('nothing was provisioned')
  const tokens = workspace.families.map((family) => family.tokens[0]?.token ?? '')
  const bodies = tokens.map((_, index) =>
    sampleSbom({ components, serial: 70_000_000 + index, offset: firstComponent + index * ownComponents }),
  )
  await sendAll([service], { bodies, tokens, concurrency: 4 })
  await untilAllMatched({ sql })
  await listAsExploited(sql, workspace.id)
  const { rows } = await sql.query<{ id: string }>('select id from person where email = $1', [person.email])
  return { workspaceId: workspace.id, personId: rows[0]?.id ?? '', slug }
}

/** Some of what the workspace has, so that the list of exploited vulnerabilities is as long as it gets. */
async function listAsExploited(sql: Laboratory['sql'], workspaceId: string): Promise<void> {
  await sql.query(
    `update finding set exploited_by = '{kev}' where workspace_id = $1 and group_id in (
       select group_id from finding where workspace_id = $1 group by group_id order by group_id limit 30
     )`,
    [workspaceId],
  )
}

async function uploadRates(laboratory: Laboratory, firstSerial: number): Promise<number[]> {
  const rates: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const tokens = await laboratory.tokens(tokensPerRound)
    const order = { tokens, firstSerial: firstSerial + round * perRound, concurrency: 8 }
    const { ms } = await sendRound([laboratory.service], order)
    rates.push(perRound / (ms / 1000))
    await untilAllMatched(laboratory)
  }
  return rates
}

/** What the pages ask for that a member opens most. */
const pages = [
  ...['', '/family-names', '/families', '/incidents/overview', '/deadlines', '/incidents', '/exploited'],
  ...['/vulnerabilities', '/vulnerabilities?search=sample-7000', '/vulnerabilities/CVE-2024-71000500'],
  ...['/components', '/components?search=sample-7000', '/search?q=sample-70000012', '/search?q=sample'],
  ...['/incident-review', '/coverage', '/metrics', '/tokens', '/audit'],
]

/** Members of a few workspaces in turn, so that little of what one asks for was just asked. */
async function measurePages({ service }: Laboratory, workspaces: number): Promise<void> {
  const times = new Map(pages.map((page) => [page, [] as number[]]))
  for (let index = 0; index < asked; index += 1) {
    const number = 1 + Math.floor((index * (workspaces - 2)) / asked)
    const session = await AppSession.signIn(service.baseUrl, {
      ...person,
      email: `${number}.${person.email}`,
    })
    for (const page of [...pages, ...pages, ...pages]) {
      const startedAt = performance.now()
      const { status, body } = await session.send(`/workspaces/many-${number}${page}`)
      if (status !== 200) throw new Error(`${page} was answered ${status}: ${JSON.stringify(body)}`)
      times.get(page)?.push(performance.now() - startedAt)
    }
  }
  const byPage = [...times].map(([page, all]) => [page === '' ? '/' : page, round(percentile(all, 95))])
  report({
    figure: `pages_among_${workspaces}_workspaces_p95`,
    value: percentile([...times.values()].flat(), 95),
    unit: 'ms',
    runs: asked * pages.length * 3,
    detail: Object.fromEntries(byPage) as Record<string, number>,
  })
}
