import { AppSession } from '../test/support/app-session.ts'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { cloneWorkspace } from './clone-workspace.ts'
import { cpuOfEach, cpuTimes } from './cpu.ts'
import { importFindings } from './findings.ts'
import { provisionTokens, type Laboratory } from './laboratory.ts'
import { report, round, say } from './report.ts'
import { sendAll, untilAllMatched } from './small-uploads.ts'

/** The company that is copied, and the numbers of companies that are measured; what the last holds is foretold from the others. */
const company = { families: 10, versions: 3, components: 400 }
const steps = [25, 50, 100, 200]
/** Uploads of the size that the example has, a tenth of each new. */
const probes = 12
const first = 80_000_000
const owner = { email: 'owner@grown.example', password: 'a long enough password' }

/** What one company of the worked example has, and how many of them the example asks for. */
const example = { families: 50, versions: 20, components: 2000, uploadsADay: 100 }
const exampleCompanies = [100, 1_000, 10_000]
/** Generated files compress better than real ones: 21 real SBOMs of 8 441 components took so many bytes each as gzip. */
const realOriginalBytes = 313

/**
 * What a company costs when there are more and more of them: room of the database and processor time of an upload and of pages, measured with
 * real statements on 25 to 200 synthetic companies. A line through all steps but the last foretells the last: how far it is off is the error of
 * what is extrapolated to 100, 1 000 and 10 000 larger companies.
 */
export async function benchGrowth(laboratory: Laboratory): Promise<void> {
  await importFindings(laboratory, { first, count: 2_000, every: 10 })
  const bytes = await measureRoom(laboratory)
  const seed = await seedCompany(laboratory)
  const admin = await laboratory.admin()
  const measured: Step[] = []
  for (const companies of steps) {
    const existing = measured.at(-1)?.companies ?? 1
    say(`${companies} companies`)
    await cloneWorkspace(admin, { ...seed, from: existing, copies: companies - 1 })
    measured.push(await measureStep(laboratory, companies))
  }
  await admin.end()
  tellSteps(measured)
  const [last, error] = foretell(measured)
  report({
    figure: 'growth_error_of_extrapolation',
    value: error * 100,
    unit: '%',
    runs: steps.length,
    detail: { companies: last.companies, megabytes: round(last.bytes / 1e6) },
  })
  tellExample(bytes, last, error)
}

type Step = { companies: number; bytes: number; uploadCpuMs: number; pageCpuMs: number }
type Room = { distinct: number; listed: number; original: number }

/** Bytes of the database for each component that is new to a family, and for each that one more version of it lists. */
async function measureRoom(laboratory: Laboratory): Promise<Room> {
  const [families, versions, components] = [20, 5, 1000]
  const tokens = await provisionTokens(laboratory.service, 'room', families)
  const send = (version: number) => {
    const bodies = tokens.map((_, family) =>
      sampleSbom({
        components,
        serial: first + version * families + family,
        offset: first + 1_000_000 + family * components,
        version: `${version}.0.0`,
      }),
    )
    return sendAll([laboratory.service], { bodies, tokens, concurrency: 4 })
  }
  const empty = await databaseBytes(laboratory)
  await send(0)
  await untilAllMatched(laboratory)
  const once = await databaseBytes(laboratory)
  for (let version = 1; version < versions; version += 1) await send(version)
  await untilAllMatched(laboratory)
  const listed = ((await databaseBytes(laboratory)) - once) / (families * (versions - 1) * components)
  const distinct = (once - empty) / (families * components) - listed
  const { rows } = await laboratory.sql.query<{ bytes: string }>(
    'select sum(octet_length(raw)) as bytes from sbom',
  )
  const original = Number(rows[0]?.bytes) / (families * versions * components)
  const detail = { listed: round(listed), ofThatOriginal: round(original) }
  report({ figure: 'growth_bytes_a_component', value: distinct, unit: 'bytes', runs: 1, detail })
  return { distinct, listed, original }
}

async function databaseBytes({ sql }: Laboratory): Promise<number> {
  await sql.query('vacuum (analyze)')
  await sql.query('checkpoint')
  const { rows } = await sql.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]?.bytes)
}

type Seed = { workspaceId: string; personId: string; slug: string }
type Provisioned = { workspaces: { id: string; families: { tokens: { token: string }[] }[] }[] }

async function seedCompany({ service, sql }: Laboratory): Promise<Seed> {
  const slug = 'grown'
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [
      {
        slug,
        companyName: 'Grown',
        securityContactEmail: 'bench@example.com',
        plan: 'plus',
        members: [{ ...owner, name: 'Owner', role: 'owner' }],
        families: Array.from({ length: company.families }, (_, index) => ({
          name: `Product ${index}`,
          tokens: [{ name: 'bench' }],
        })),
      },
    ],
  })
  const tokens = workspaces[0]?.families.map((family) => family.tokens[0]?.token ?? '') ?? []
  for (let version = 0; version < company.versions; version += 1) {
    const bodies = tokens.map((_, family) =>
      sampleSbom({
        components: company.components,
        serial: first + 10_000 + version * company.families + family,
        offset: first + family * 50 + version * 20,
        version: `${version}.0.0`,
      }),
    )
    await sendAll([service], { bodies, tokens, concurrency: 4 })
  }
  await untilAllMatched({ sql })
  const { rows } = await sql.query<{ id: string }>('select id from person where email = $1', [owner.email])
  return { workspaceId: workspaces[0]?.id ?? '', personId: rows[0]?.id ?? '', slug }
}

const pages = ['', '/families', '/incidents', '/vulnerabilities', '/components', '/search?q=sample', '/audit']

async function measureStep(laboratory: Laboratory, companies: number): Promise<Step> {
  const bytes = await databaseBytes(laboratory)
  const tokens = await provisionTokens(laboratory.service, `probe-${companies}`, 4)
  const bodies = Array.from({ length: probes }, (_, index) =>
    sampleSbom({
      components: example.components,
      serial: first + 20_000 + companies * 100 + index,
      offset: first + Math.floor(index / 4) * (example.components / 10),
    }),
  )
  const beforeUploads = await cpuTimes(laboratory)
  await sendAll([laboratory.service], { bodies, tokens, concurrency: 4 })
  await untilAllMatched(laboratory)
  const uploads = cpuOfEach(beforeUploads, await cpuTimes(laboratory), probes)
  const beforePages = await cpuTimes(laboratory)
  for (let turn = 1; turn <= 8; turn += 1)
    await openPages(laboratory, Math.ceil((turn * (companies - 1)) / 8))
  const asked = cpuOfEach(beforePages, await cpuTimes(laboratory), 8 * pages.length)
  return { companies, bytes, uploadCpuMs: sumOf(uploads), pageCpuMs: sumOf(asked) }
}

async function openPages({ service }: Laboratory, number: number): Promise<void> {
  const session = await AppSession.signIn(service.baseUrl, { ...owner, email: `${number}.${owner.email}` })
  for (const page of pages) {
    const { status } = await session.send(`/workspaces/grown-${number}${page}`)
    if (status !== 200) throw new Error(`${page} was answered ${status}`)
  }
}

const sumOf = (parts: Record<string, number>): number => Object.values(parts).reduce((sum, ms) => sum + ms, 0)

function tellSteps(measured: Step[]): void {
  for (const { companies, bytes, uploadCpuMs, pageCpuMs } of measured)
    report({
      figure: `growth_${companies}_companies`,
      value: bytes / 1e6,
      unit: 'MB',
      runs: 1,
      detail: { uploadCpuMs: round(uploadCpuMs), pageCpuMs: round(pageCpuMs) },
    })
}

/** The last step, and by which part of it the least-squares line through the others misses it. */
function foretell(measured: Step[]): [Step, number] {
  const last = measured.at(-1)
  if (last === undefined) throw new Error('nothing was measured')
  const known = measured.slice(0, -1)
  const mean = (of: (step: Step) => number) => known.reduce((sum, step) => sum + of(step), 0) / known.length
  const [x, y] = [mean((step) => step.companies), mean((step) => step.bytes)]
  const slope =
    mean((step) => (step.companies - x) * (step.bytes - y)) / mean((step) => (step.companies - x) ** 2)
  return [last, Math.abs(y + slope * (last.companies - x) - last.bytes) / last.bytes]
}

/** Components that versions of a product have in common are stored once: a tenth of each version's are taken for new. */
function tellExample(room: Room, { uploadCpuMs, pageCpuMs }: Step, error: number): void {
  const listed = example.families * example.versions * example.components
  const distinct = example.families * example.components * (1 + (example.versions - 1) * 0.1)
  const originals = listed * realOriginalBytes
  const bytes = distinct * room.distinct + listed * (room.listed - room.original) + originals
  for (const companies of exampleCompanies)
    report({
      figure: `growth_example_${companies}_companies`,
      value: (companies * bytes) / 1e9,
      unit: 'GB',
      runs: 1,
      detail: {
        ...example,
        originalsGB: round((companies * originals) / 1e9),
        errorPercent: round(error * 100),
        coresForUploads: round((companies * example.uploadsADay * uploadCpuMs) / 86_400_000),
        coresForPagesAt1000ADay: round((companies * 1000 * pageCpuMs) / 86_400_000),
      },
    })
}
