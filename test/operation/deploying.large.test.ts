import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDeliveryMetrics, addDeliveryOutcomes } from '../../src/alerts/deliveries/delivery-metrics.ts'
import { ArrivingBodies } from '../../src/http/bodies/arriving-bodies.ts'
import { paceRule } from '../../src/http/bodies/body-pace.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { reportLimits } from '../../src/contract/disclosure/shapes.ts'
import type { Parser } from '../../src/parser/client.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { addPoolMetrics, addStoreStateMetrics, createRegistry } from '../../src/platform/metrics.ts'
import { addJobMetrics, addQueueMetrics } from '../../src/queue/metrics.ts'
import { addUnexpectedErrors } from '../../src/platform/unexpected-errors.ts'
import { addOriginalsMetrics } from '../../src/originals/metrics.ts'
import type { WatchedStore } from '../../src/originals/objects/watched-store.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { addOperationMetrics } from '../../src/views/operation/operation-metrics.ts'
import { addSourceMetrics } from '../../src/vulndata/source-metrics.ts'
import { configuredSources } from '../../src/vulndata/sources/all.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { checkoutDir } from '../support/test-server.ts'
import { textWith } from '../support/expected.ts'

const bound = { maxBytes: 1, maxBodies: 1 }

const read = (path: string) => readFileSync(join(checkoutDir, path), 'utf8')
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const monitoring = join(checkoutDir, 'deploy/monitoring')
/** Of the rules, for promtool. */
const trials = ['alerts.test.yaml', 'alerts-of-days.test.yaml']

describe('variables', () => {
  /** Variables the program reads: strings in its configuration spelled like a variable, and the addresses of sources. */
  const known = new Set([
    ...globSync('src/platform/{config,outbound}/*.ts', { cwd: checkoutDir }).flatMap((file) =>
      namesIn(read(file), /'([A-Z][A-Z0-9_]{3,})'/g),
    ),
    ...configuredSources.map(({ variable }) => variable),
    // read by the C library
    'MALLOC_ARENA_MAX',
  ])
  const service =
    /x-service:[^]*?environment:\n([^]*?)\n\nservices:/.exec(read('deploy/compose.yaml'))?.[1] ?? ''
  const values = /\nenvironment:\n([^]*?)\n\n/.exec(read('deploy/helm/sbom-monitor/values.yaml'))?.[1] ?? ''
  const chart = read('deploy/helm/sbom-monitor/templates/_pod.tpl')

  it.each([
    [
      'Dockerfile',
      namesIn(
        read('Dockerfile')
          .match(/^ENV .*$/gm)
          ?.join(' ') ?? '',
        /\b([A-Z_]+)=/g,
      ),
      'METRICS_PORT',
    ],
    ['compose.yaml', namesIn(service, /^ {4}([A-Z_]+):/gm), 'DATABASE_URL'],
    [
      'sbom-monitor.service',
      namesIn(read('deploy/sbom-monitor.service'), /^Environment=([A-Z_]+)=/gm),
      'DATA_DIR',
    ],
    ['the chart', namesIn(chart, /- name: ([A-Z_]+)$/gm), 'BASE_URL'],
    ['the values of the chart', namesIn(values, /^ {2}([A-Z_]+):/gm), 'TRUST_PROXY'],
    ['deploying.md', namesIn(read('docs/deploying.md'), /`([A-Z]+_[A-Z_]+)`/g), 'ENCRYPTION_KEYS'],
  ])('of %s are those of the program', (_where, used, one) => {
    expect(used).toContain(one)
    expect(used.filter((name) => !known.has(name))).toEqual([])
  })

  it('of the program are listed in docs/operating.md', () => {
    const text = read('docs/operating.md')
    const table = text.slice(text.indexOf('\n## Configuration\n'), text.indexOf('\n## Origins inside'))
    const sources = configuredSources.map(({ variable }) => variable)
    // of tests, of AWS's own tools, of Node and of the C library; other words of that shape have no underscore
    const isElsewhere = (name: string) => /^(LAB|AWS|NODE|MALLOC)_/.test(name) || sources.includes(name)
    const own = [...known].filter((name) => name.includes('_') && !isElsewhere(name))
    expect(own).toContain('DATABASE_LISTEN_URL')
    expect(own.filter((name) => !table.includes(`\`${name}\``))).toEqual([])
  })
})

it('a proxy set up as docs/operating.md says lets the largest bodies through', () => {
  const [megabytes] = namesIn(read('docs/operating.md'), /client_max_body_size (\d+)m;/g)
  // plus the form around them
  expect(Number(megabytes) * 2 ** 20).toBeGreaterThan(reportLimits.attachmentsBytes * 1.2)
})

describe('what watches the metrics', () => {
  let database: TestDatabase
  let names: Set<string>
  beforeAll(async () => {
    database = await createTestDatabase()
    const { config } = readConfig({}, { sources: configuredSources })
    const deps = { db: database.db, now: () => testNow, log: pino({ level: 'silent' }), config }
    const registry = createRegistry({ version: '1.0.0', role: 'all' })
    addPoolMetrics(registry, database.pool)
    addStoreStateMetrics(registry, () => Promise.resolve({ store: true, writable: true }))
    addQueueMetrics(registry, deps)
    addSourceMetrics(registry, deps)
    addDeliveryMetrics(registry, deps)
    addOperationMetrics(registry, { ...deps, sealing: createSealing(null), sendsMail: true })
    addOriginalsMetrics(registry, {
      ...deps,
      originals: { ...originalsInDatabase, store: {} as WatchedStore },
    })
    addJobMetrics(registry)
    addDeliveryOutcomes(registry)
    addUnexpectedErrors(registry)
    createMetrics(registry, {} as Parser, new ArrivingBodies({ ...bound, strangers: bound, pace: paceRule }))
    names = new Set(
      registry
        .getMetricsAsArray()
        .flatMap(({ name, type }) =>
          String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
        ),
    )
  })
  afterAll(() => database.drop())

  it.each([['alerts.yaml'], trials, ['dashboard.json']])(
    '%s names metrics of the program only',
    (...files) => {
      const used = namesIn(
        files.map((file) => readFileSync(join(monitoring, file), 'utf8')).join('\n'),
        /\b((?:sbom_monitor|process|nodejs)_[a-z0-9_]+)/g,
      )
      expect(new Set(used).size).toBeGreaterThan(8)
      expect(used.filter((name) => !names.has(name))).toEqual([])
    },
  )

  it('docs/operating.md names every metric of ours', () => {
    const ours = [...names].filter((name) => name.startsWith('sbom_monitor_'))
    const text = read('docs/operating.md')
    const short = ours.map((name) => name.replace(/^sbom_monitor_|_(bucket|sum|count)$/g, ''))
    expect(short.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  it('every metric of ours that tells of trouble is in the dashboard', () => {
    const dashboard = read('deploy/monitoring/dashboard.json')
    const ours = [...names].filter((name) =>
      /^sbom_monitor_.*(age_seconds|waiting|jobs|deliveries)/.test(name),
    )
    expect(
      ours.filter((name) => !dashboard.includes(name) && name !== 'sbom_monitor_parser_waiting_bytes'),
    ).toEqual([])
  })

  it('docs/deploying.md says of every alert where to look', () => {
    const alerts = namesIn(read('deploy/monitoring/alerts.yaml'), /- alert: (\w+)/g)
    expect(alerts.length).toBeGreaterThan(8)
    const text = read('docs/deploying.md')
    expect(alerts.filter((alert) => !text.includes(`\`${alert}\``))).toEqual([])
    const tried = trials.flatMap((file) => namesIn(read(`deploy/monitoring/${file}`), /alertname: (\w+)/g))
    expect(alerts.filter((alert) => !tried.includes(alert))).toEqual([])
  })

  const hasPromtool = isThere('promtool', '--version')
  it.runIf(hasPromtool)(
    `the rules fire when they should${hasPromtool ? '' : ' (skipped: promtool is not installed)'}`,
    () => {
      for (const args of [
        ['check', 'rules', 'alerts.yaml'],
        ['test', 'rules', ...trials],
      ]) {
        const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: monitoring, encoding: 'utf8' })
        expect(status, stdout + stderr).toBe(0)
      }
    },
  )
})

const hasHelm = isThere('helm', 'version')
const chartDir = join(checkoutDir, 'deploy/helm/sbom-monitor')

describe.runIf(hasHelm)(
  `the chart${hasHelm ? '' : ' (skipped: helm is not installed; .ci/run fetches or builds it)'}`,
  () => {
    const run = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' })
    const set = (values: Record<string, string>) =>
      Object.entries(values).flatMap((pair) => ['--set', pair.join('=')])
    const needed = set({ baseUrl: 'https://monitor.example', existingSecret: 'monitor' })

    it('passes the linter, and is rendered with both roles, probes and budgets', () => {
      const linted = run('lint', chartDir, '--strict', ...needed)
      expect(linted.status, linted.stdout + linted.stderr).toBe(0)
      const ingress = set({
        'ingress.enabled': 'true',
        'ingress.host': 'monitor.example',
        'ingress.tlsSecret': 'tls',
      })
      const { status, stdout, stderr } = run('template', 'monitor', chartDir, ...needed, ...ingress)
      expect(status, stderr).toBe(0)
      expect(namesIn(stdout, /^kind: (\w+)$/gm).sort()).toEqual([
        ...['Deployment', 'Deployment', 'Ingress', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service'],
      ])
      for (const role of ['serve', 'work'])
        expect(stdout).toContain(`args: ['node', 'src/main.ts', '${role}']`)
      for (const part of [
        'readOnlyRootFilesystem: true',
        'runAsNonRoot: true',
        'path: /readyz',
        'path: /healthz',
      ])
        expect(stdout.split(part).length - 1, part).toBe(part === 'path: /healthz' ? 4 : 2)
      expect(run('template', 'monitor', chartDir)).toMatchObject({
        status: 1,
        stderr: textWith('the public https address of the service'),
      })
    })
  },
)
