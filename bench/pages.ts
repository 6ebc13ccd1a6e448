import { gzipSync } from 'node:zlib'
import { getSbom, listComponents, listFindings } from '../src/contract/sbom/operations.ts'
import { listVulnerabilities } from '../src/contract/vulnerabilities/operations.ts'
import { listFamilies } from '../src/contract/products/operations.ts'
import { exportComponents, exportComponentUses, exportFindings } from '../src/contract/export-operations.ts'
import { AppSession } from '../test/support/app-session.ts'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { importFindings } from './findings.ts'
import { untilMatched, upload, type Laboratory } from './laboratory.ts'
import { median, report, say } from './report.ts'

const components = 50_000
const firstComponent = 90_000_000
const runs = 9
const exportRuns = 5

type Provisioned = {
  workspaces: { id: string; families: { id: string; tokens: { token: string }[] }[] }[]
}

/**
 * What the page of an SBOM of 50 000 components with 25 000 findings asks for, each part of it for itself, and the lists that count the
 * same findings: by vulnerability and by family. Then the same lists as files.
 */
export async function benchPages(laboratory: Laboratory): Promise<void> {
  say('the page of an SBOM of 50 000 components')
  const { service } = laboratory
  await importFindings(laboratory, { first: firstComponent, count: components, every: 2 })
  const person = { email: 'owner@pages.example', password: 'a long enough password' }
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [
      {
        slug: 'pages',
        companyName: 'Pages',
        securityContactEmail: 'bench@example.com',
        plan: 'plus',
        members: [{ ...person, name: 'Owner', role: 'owner' }],
        families: [{ name: 'Large', tokens: [{ name: 'bench' }] }],
      },
    ],
  })
  const token = workspaces[0]?.families[0]?.tokens[0]?.token ?? ''
  const sent = sampleSbom({ components, serial: 1, offset: firstComponent, version: '1.0' })
  const { status, body } = await upload(service, token, gzipSync(sent))
  if (status !== 202) throw new Error(`answered ${status}`)
  await untilMatched(laboratory, body.id, performance.now())
  const session = await AppSession.signIn(service.baseUrl, person)
  const params = { sbom: body.id }
  await measure('sbom_page_head', () => session.call(getSbom, { params }))
  await measure('sbom_page_findings', () => session.call(listFindings, { params }))
  await measure('sbom_page_components', () => session.call(listComponents, { params }))
  await measure('vulnerabilities_page', () => session.call(listVulnerabilities))
  await measure('families_page', () => session.call(listFamilies))
  const csv = { params, query: { format: 'csv' } }
  await measureExport('components_export', () => session.open(exportComponents, csv))
  await measureExport('findings_export', () => session.open(exportFindings, csv))
  await measureExport('component_uses_export', () => session.open(exportComponentUses, csv))
}

async function measure(figure: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    await read()
    times.push(performance.now() - startedAt)
  }
  report({ figure, value: median(times), unit: 'ms', runs, detail: { longest: Math.max(...times) } })
}

/** The whole file, from the request to its last byte. */
async function measureExport(figure: string, open: () => ReturnType<AppSession['open']>): Promise<void> {
  const times: number[] = []
  let rows = 0
  for (let run = 0; run < exportRuns; run += 1) {
    const startedAt = performance.now()
    const { statusCode, body } = await open()
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${figure} was answered ${statusCode}`)
    times.push(performance.now() - startedAt)
    rows = text.split('\r\n').length - 2
  }
  const detail = { rows, longest: Math.max(...times) }
  report({ figure, value: median(times), unit: 'ms', runs: exportRuns, detail })
}
