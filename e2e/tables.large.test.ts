import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listDeliveryProblems, listDestinations, testDestination } from '../src/contract/alerts/operations.ts'
import { listFamilies } from '../src/contract/products/operations.ts'
import { getSbom, listFindings } from '../src/contract/sbom/operations.ts'
import type { AppSession } from '../test/support/app-session.ts'
import { fieldOf } from '../test/support/read-as.ts'
import { startReceiverLab, type ReceiverLab } from '../test/support/receivers.ts'
import { untilLoaded, untilStill } from './support/browser.ts'
import { openScene, type Scene } from './support/scene.ts'
import { readHidden, readTables } from './support/table-reading.ts'

const debian = '0~20240203.1a2b3c4-1~bpo12+1+deb12u2'
const pseudo = '0.0.0-20251122123456-0123456789ab+incompatible'
/** Below 2.15.0 in Maven's order, so that it has a finding. */
const affected = `2.14.1-${debian}`
const longName = 'a'.repeat(120)
const longToken = 't'.repeat(80)
const hidden = (text: string) => `${text}\u202egpj\u200b`
const wholeTexts = [debian, pseudo, affected]

const log4j = 'pkg:maven/org.apache.logging.log4j/log4j-core'
const component = (name: string, version: string, purl: string | undefined, at: string) => ({
  type: 'library',
  'bom-ref': at,
  name,
  version,
  ...(purl === undefined ? {} : { purl }),
})

function sbomOf(version: string, components: object[]): string {
  return JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': 'main', name: hidden('pump'), version },
      tools: { components: [{ type: 'application', name: hidden('tool') }] },
    },
    components,
  })
}

/** One exploited vulnerability in so many components that every count of it has four digits. */
const many = Array.from({ length: 1160 }, (_, at) =>
  component('log4j-core', `2.14.1-${at + 1}`, `${log4j}@2.14.1-${at + 1}`, `many-${at}`),
)
const awkward = [
  {
    ...component('log4j-core', affected, `${log4j}@${encodeURIComponent(affected)}`, 'log'),
    group: 'org.apache.logging.log4j',
  },
  {
    ...component(longName, debian, `pkg:npm/${longName}@1.0.0`, 'long'),
    licenses: [{ license: { name: longName } }],
  },
  {
    ...component(hidden('evil'), `1.0\u202e-2`, 'pkg:npm/evil@1.0', 'evil'),
    group: hidden('group'),
    licenses: [{ license: { name: hidden('licence') } }],
    supplier: { name: hidden('supplier') },
  },
  component(`of-go-${longName}`, pseudo, undefined, 'go'),
  // its record names no version that is affected: the match is a possible one
  component('ansi_term', '0.12.1', 'pkg:cargo/ansi_term@0.12.1', 'possible'),
]

const destination = { kind: 'webhook', events: ['incident.opened', 'approval.requested', 'report.received'] }

const vex = (affectedPurl: string) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://acme.example/vex/tables',
  author: hidden('Acme'),
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'CVE-2021-44228' },
      products: [{ '@id': affectedPurl }],
      status: 'under_investigation',
      status_notes: hidden('we look'),
    },
    {
      vulnerability: { name: hidden('CVE-2020-8203') },
      products: [{ '@id': hidden(longName) }],
      status: 'fixed',
    },
  ],
})
const scannerReport = sbomOf('1', [])
  .replace('"components":[]', `"components":[${JSON.stringify(awkward[0])}]`)
  .replace(/}$/, ',"vulnerabilities":[{"id":"CVE-2024-99999","affects":[{"ref":"log"}]}]}')

let lab: ReceiverLab
let scene: Scene
let places: Record<string, string>

type Provisioned = { workspaces: { families: { id: string; tokens: { token: string }[] }[] }[] }

beforeAll(async () => {
  lab = await startReceiverLab()
  scene = await openScene({ owner: 'Olga' }, lab.env())
  const { page, service } = scene
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [
      {
        slug: 'acme',
        companyName: 'Acme',
        securityContactEmail: 'security@acme.example',
        plan: 'core',
        families: [{ name: longName, tokens: [{ name: longToken, kind: 'upload' }] }],
        destinations: [
          { ...destination, name: longToken, url: `https://${'h'.repeat(60)}.acme.example/` },
          { ...destination, name: 'On call', url: 'https://alerts.acme.example/' },
        ],
      },
    ],
  })
  const longFamily = workspaces[0]?.families[0]
  await scene.sendSbom(sbomOf(pseudo, awkward))
  const { id: sbom } = await scene.sendSbom(sbomOf(debian, [...many, ...awkward]))
  const send = async (token: string, path: string, body: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`${service.baseUrl}/api/v1/${path}`, { method: 'POST', headers, body })
    expect(answer.status).toBe(202)
    return String(fieldOf(await answer.json(), 'id'))
  }
  await send(longFamily?.tokens[0]?.token ?? '', 'sboms', sbomOf(debian, [...many, ...awkward]))
  const purl = `${log4j}@${encodeURIComponent(affected)}`
  const document = await send(scene.uploadToken, 'vex', JSON.stringify(vex(purl)))
  const report = await send(scene.uploadToken, 'vex', scannerReport)
  await scene.signIn(page, 'olga@acme.example')
  const olga = await scene.elsewhere('olga@acme.example')
  const pump = (await olga.call(listFamilies)).rows.find(({ name }) => name === 'Pump')?.id ?? ''
  const findings = await olga.call(listFindings, { params: { sbom }, query: { search: debian } })
  const { destinations } = await olga.call(listDestinations)
  const problem = await failTest(olga, destinations[0]?.id)
  await untilIncidents(2)
  const { previous } = await olga.call(getSbom, { params: { sbom } })
  places = {
    dashboard: '',
    families: '/families',
    versions: `/families/${pump}`,
    history: `/families/${pump}?tab=history`,
    'vex documents': `/families/${pump}?tab=vex`,
    'reported findings': `/families/${pump}?tab=reported`,
    findings: `/sboms/${sbom}`,
    'finding drawer': `/sboms/${sbom}?finding=${findings.rows[0]?.id ?? ''}`,
    'long finding': `/sboms/${sbom}?search=${encodeURIComponent(debian)}`,
    components: `/sboms/${sbom}?tab=components`,
    'hostile components': `/sboms/${sbom}?tab=components&search=evil`,
    'long components': `/sboms/${sbom}?tab=components&search=aaa`,
    quality: `/sboms/${sbom}?tab=quality`,
    changes: `/sboms/${sbom}?tab=changes`,
    comparison: `/sboms/${sbom}/compare/${previous?.id ?? ''}`,
    finding: `/findings/${findings.rows[0]?.id ?? ''}`,
    'all components': '/components?search=log4j',
    'all long components': '/components?search=aaa',
    'all hostile components': '/components?search=evil',
    vulnerabilities: '/vulnerabilities',
    vulnerability: '/vulnerabilities/CVE-2021-44228',
    'vex statements': `/vex/${document}`,
    'unbound statements': `/vex/${document}?show=unbound`,
    'reported in a document': `/vex/${report}?show=findings`,
    tokens: '/settings/tokens',
    notifications: '/settings/notifications',
    destination: `/settings/notifications?destination=${destinations[0]?.id ?? ''}`,
    'delivery problem': `/settings/notifications?problem=${problem}`,
    connector: '/settings/connector',
    sources: '/sources',
    incidents: '/incidents',
    'to review': '/review',
    'held back': '/suppressed',
    advisories: '/advisories',
  }
}, 300_000)
afterAll(async () => {
  await scene.close()
  lab.close()
}, 60_000)

/** One for each family: the dashboard groups their deadlines. */
async function untilIncidents(count: number): Promise<void> {
  const { store } = scene
  const asked = () => store.query<{ count: string }>('select count(*) from incident')
  await vi.waitFor(async () => expect(Number((await asked()).rows[0]?.count)).toBe(count), {
    timeout: 60_000,
    interval: 100,
  })
}

/** Sends a test to a non-existent host and waits until it has failed. Returns the id of the problem. */
async function failTest(olga: AppSession, destination: string | undefined): Promise<string> {
  await olga.call(testDestination, { params: { destination } })
  return vi.waitFor(
    async () => {
      const [problem] = (await olga.call(listDeliveryProblems)).rows
      expect(problem).toBeDefined()
      return problem?.id ?? ''
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** Opens a page and waits until its tables have rows. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${scene.service.baseUrl}/app/acme${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await untilLoaded(page)
}

/** The colour scheme hardly changes the layout, so most widths are checked in one. */
const screens = [
  ...[1280, 1160, 1024, 768, 360].map((width) => ({ colorScheme: 'light' as const, width })),
  ...[1280, 360].map((width) => ({ colorScheme: 'dark' as const, width })),
]
type Screen = (typeof screens)[number]

const rowHeightPx = 36

const keyOf = ({ colorScheme, width }: Screen) => `${colorScheme} ${width}`
/** Faults by screen and page. */
const faults = new Map<string, Record<string, string[]>>(screens.map((screen) => [keyOf(screen), {}]))
const tables = new Map(screens.map((screen) => [keyOf(screen), 0]))
const hiddenTexts: Record<string, string[]> = {}
let spelledOut = 0

// Each page is opened once and then checked at every width, as when a phone is turned or a window narrowed.
beforeAll(async () => {
  const { page } = scene
  for (const [name, path] of Object.entries(places)) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, path)
    const texts = await page.evaluate<string[]>(readHidden)
    if (texts.length > 0) hiddenTexts[name] = texts
    spelledOut += (await page.locator('body').innerText()).split('[U+202E]').length - 1
    for (const screen of screens) await read(name, screen)
  }
}, 600_000)

async function read(name: string, screen: Screen): Promise<void> {
  const { page } = scene
  const { colorScheme, width } = screen
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  await untilStill(page)
  const { tables: count, found } = await page.evaluate<{ tables: number; found: string[] }>(
    `${readTables}(${JSON.stringify(wholeTexts)}, ${rowHeightPx})`,
  )
  tables.set(keyOf(screen), (tables.get(keyOf(screen)) ?? 0) + count)
  const known = faults.get(keyOf(screen))
  if (found.length > 0 && known !== undefined) known[name] = found
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png` })
}

/** The files of this scene have control characters and bidirectional marks in every text; people see their code points. */
it('shows and says no character that hides, on any page', () => {
  expect(hiddenTexts).toEqual({})
  expect(spelledOut).toBeGreaterThan(20)
})

it.each(screens)(
  'lays no text over another, cuts no count and keeps versions on one line in $colorScheme at $width px',
  (screen) => {
    expect(faults.get(keyOf(screen))).toEqual({})
    expect(tables.get(keyOf(screen))).toBeGreaterThan(20)
  },
)
