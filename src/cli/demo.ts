import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SbomReceipt } from '../contract/sbom/shapes.ts'
import type { FindingRow } from '../contract/findings/lists.ts'
import type { Config, Secrets } from '../platform/config/config.ts'
import { outboundOf } from '../platform/outbound/configured.ts'
import { randomText } from '../platform/random.ts'
import { listFindings } from '../findings/reads/list-findings.ts'
import { importVulnerabilityData } from '../vulndata/import.ts'
import { provision } from '../provision/provision.ts'
import { createLog } from '../platform/log.ts'
import { outliveUnexpectedErrors } from '../platform/unexpected-errors.ts'
import type { Lifetime } from './lifetime.ts'
import { observeProcess } from './observe.ts'
import { openProcess, type Process } from './open-process.ts'
import { closeParser, startParserOf } from './start-parser.ts'
import { startServe } from './start-serve.ts'
import { startWork } from './start-work.ts'
import { formatTable } from './table.ts'
import { printAdvisory } from './demo-advisory.ts'
import { printAlert } from './demo-alert.ts'
import { printIncidents } from './demo-incident.ts'
import { startDemoReceiver, type DemoReceiver } from './demo-receiver.ts'

type Demo = { config: Config; secrets: Secrets; lifetime: Lifetime }

const waitMs = 60_000

/**
 * Starts the service on a throw-away store with a sample workspace and a small set of records, sends a sample SBOM through the public
 * API, prints what was found, and keeps running until it is stopped.
 */
export async function runDemo({ config, secrets, lifetime }: Demo): Promise<void> {
  const dataDir = await lifetime.open(
    () => mkdtemp(join(tmpdir(), 'sbom-monitor-demo-')),
    (folder) => rm(folder, { recursive: true, force: true }),
  )
  // started by root, the database server runs under another account; its own folder below stays closed
  await chmod(dataDir, 0o755)
  const demoConfig = await configureDemo(config, dataDir)
  const log = createLog({ ...demoConfig, logLevel: 'warn' }, { role: 'demo', stream: 'stderr' })
  say('starting the database')
  const opening = { config: demoConfig, secrets: { ...secrets, databaseUrl: null }, role: 'demo', log }
  const opened = await lifetime.open(
    () => openProcess({ ...opening, fsync: false }),
    ({ close }) => close(),
  )
  const { token, password } = await fillStore(opened)
  say('building the web application where needed, starting the service')
  const stopPart = ({ stop }: { stop: () => Promise<void> }) => stop()
  const observation = await observeProcess(opened, 'demo')
  const { stopping } = lifetime
  const parser = await lifetime.open(() => startParserOf(opened, Promise.resolve(opened)), closeParser)
  const receiver = await lifetime.open(startDemoReceiver, stopPart)
  const outbound = receiver.outbound(outboundOf(demoConfig))
  await lifetime.open(() => startWork(opened, observation, outbound), stopPart)
  await lifetime.open(() => startServe(opened, { ...observation, parser, stopping }), stopPart)
  outliveUnexpectedErrors({ process, log, errors: observation.unexpectedErrors })
  await showSample(opened, { token, password, receiver })
}

async function showSample(
  opened: Process,
  { token, password, receiver }: { token: string; password: string; receiver: DemoReceiver },
): Promise<void> {
  const { config } = opened
  const sbom = await sendSample(config, token)
  await waitUntilMatched(config, token)
  await printFindings(opened, sbom)
  await printIncidents(opened)
  await printAlert(opened, receiver)
  await printAdvisory(opened)
  process.stdout.write(
    `\nThe service keeps running at ${config.baseUrl}/app/ until you stop it (Ctrl-C).\n` +
      `Sign in as demo@example.com with the password ${password}\nThe SBOM: ${sbom.url}\n`,
  )
}

/** No feeds, the database in a temporary folder, and another port where the usual one is taken. */
async function configureDemo(config: Config, dataDir: string): Promise<Config> {
  const port = (await isFree(config.port)) ? config.port : await freePort()
  return {
    ...config,
    port,
    baseUrl: port === config.port ? config.baseUrl : `http://localhost:${port}`,
    store: { ...config.store, dataDir: join(dataDir, 'store'), isExternal: false },
    mail: null,
    feeds: Object.fromEntries(Object.keys(config.feeds).map((source) => [source, null])),
  }
}

async function fillStore(opened: Process): Promise<{ token: string; password: string }> {
  const { db, config, log, now } = opened
  const password = randomText(9)
  const { workspaces } = await provision(
    db,
    {
      workspaces: [
        {
          slug: 'acme',
          companyName: 'Acme AS',
          securityContactEmail: 'security@acme.example',
          plan: 'core',
          members: [{ email: 'demo@example.com', name: 'Demo', role: 'owner', password }],
          families: [{ name: 'Pump', tokens: [{ name: 'demo', kind: 'upload' }] }],
        },
      ],
    },
    now(),
  )
  for (const file of ['vulnerabilities.ndjson', 'kev.json']) {
    const from = join(config.checkoutDir, 'demo', file)
    await importVulnerabilityData(
      { db, log, config },
      { from, isComplete: true, now: now(), onProgress: () => undefined },
    )
  }
  const token = workspaces[0]?.families?.[0]?.tokens?.[0]?.token
  if (token === undefined) throw new Error('provisioning made no token')
  return { token, password }
}

async function sendSample(config: Config, token: string): Promise<SbomReceipt> {
  const response = await upload(config, token)
  if (response.status !== 202)
    throw new Error(`the upload was answered ${response.status}: ${await response.text()}`)
  const receipt = (await response.json()) as SbomReceipt
  say(`sent demo/sample.cdx.json: ${receipt.components} components, version ${receipt.version ?? 'none'}`)
  return receipt
}

async function upload(config: Config, token: string): Promise<Response> {
  const body = await readFile(join(config.checkoutDir, 'demo/sample.cdx.json'))
  return fetch(`http://127.0.0.1:${config.port}/api/v1/sboms`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-service-source': 'pipeline_ci',
      'x-service-commit': '9f3c1ab',
      'x-service-branch': 'refs/heads/main',
      'x-service-repo': 'acme/pump',
    },
    body,
  })
}

/** As a pipeline would that holds an upload token only: the same file again; the answer carries the status. */
async function waitUntilMatched(config: Config, token: string): Promise<void> {
  const until = performance.now() + waitMs
  while (performance.now() < until) {
    const { status } = (await (await upload(config, token)).json()) as SbomReceipt
    if (status === 'matched') return
    if (status === 'failed') throw new Error('matching failed')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
  }
  throw new Error('the sample SBOM was not matched within a minute')
}

async function printFindings({ db }: Process, sbom: SbomReceipt): Promise<void> {
  const stored = await db
    .selectFrom('sbom')
    .select('workspace_id')
    .where('id', '=', sbom.id)
    .executeTakeFirstOrThrow()
  const { rows } = await listFindings(db, { workspaceId: stored.workspace_id, sbomId: sbom.id })
  const table = formatTable(
    ['Vulnerability', 'Severity', 'Exploited', 'Component', 'Version', 'Fixed in', 'Grade'],
    rows.map(toCells),
  )
  process.stdout.write(`\n${table}\n${rows.length} findings\n`)
}

function toCells(finding: FindingRow): string[] {
  return [
    finding.title,
    finding.score === null ? finding.severity : `${finding.severity} ${finding.score.toFixed(1)}`,
    finding.exploitedBy.join(', ').toUpperCase(),
    finding.component.name,
    finding.component.version ?? '',
    finding.fixedIn ?? '',
    finding.grade,
  ]
}

function say(text: string): void {
  process.stderr.write(`demo: ${text}\n`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
