import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkoutDir } from '../support/test-server.ts'

const hasHelm = spawnSync('helm', ['version']).status === 0
const chartDir = join(checkoutDir, 'deploy/helm/sbom-monitor')
const needed = { baseUrl: 'https://monitor.example', existingSecret: 'monitor' }

function helm(args: string[], values: object) {
  // JSON is valid YAML.
  return spawnSync('helm', [...args, '--values', '-'], { encoding: 'utf8', input: JSON.stringify(values) })
}

/** The rendered resources by kind and name; the linter must accept the same values. */
function render(values: object): Map<string, string> {
  const linted = helm(['lint', chartDir, '--strict'], { ...needed, ...values })
  expect(linted.status, linted.stdout + linted.stderr).toBe(0)
  const { status, stdout, stderr } = helm(['template', 'monitor', chartDir, '--namespace', 'ours'], {
    ...needed,
    ...values,
  })
  expect(status, stderr).toBe(0)
  const documents = stdout.split(/^---\n/m).filter((text) => /^kind: /m.test(text))
  const named = documents.map((text): [string, string] => {
    const [, kind = ''] = /^kind: (\w+)$/m.exec(text) ?? []
    const [, name = ''] = /^metadata:\n {2}name: (\S+)$/m.exec(text) ?? []
    return [`${kind} ${name}`, text]
  })
  const rendered = new Map(named)
  expect(rendered.size).toBe(documents.length)
  return rendered
}

function refusal(values: object): string {
  const { status, stderr } = helm(['template', 'monitor', chartDir], { ...needed, ...values })
  expect(status).toBe(1)
  return stderr
}

/** A place as Helm's judge of the schema names it, up to 3.17 and since. */
const placed = (place: string) =>
  `(?:- ${place === '' ? '\\(root\\)' : place}|at '${place === '' ? '' : `/${place.replaceAll('.', '/')}`}')`

const podsOf = (role: string) =>
  `      app.kubernetes.io/instance: monitor\n      app.kubernetes.io/component: ${role}`
const usual = [
  ...['Deployment monitor-serve', 'Deployment monitor-work'],
  ...['PodDisruptionBudget monitor-serve', 'PodDisruptionBudget monitor-work', 'Service monitor'],
]

describe.runIf(hasHelm)(
  `the chart${hasHelm ? '' : ' (skipped: helm is not installed; .ci/run fetches or builds it)'}`,
  () => {
    it('renders nothing more than is asked for', () => {
      const rendered = render({})
      expect([...rendered.keys()].sort()).toEqual(usual)
      for (const role of ['serve', 'work']) {
        const text = rendered.get(`Deployment monitor-${role}`) ?? ''
        expect(text).toContain('\n  replicas: 2\n')
        expect(text).not.toMatch(/imagePullSecrets|nodeSelector|tolerations|annotations|name: ca$/m)
      }
    })

    it.each([
      ['http://monitor.example', 'baseUrl: expected the public https address of the service, found'],
      ['monitor.example', 'baseUrl: expected the public https address of the service, found'],
      ['https://', 'baseUrl: expected the public https address of the service, found'],
      ['https://monitor.example/?a=b', 'baseUrl: expected the public https address of the service, found'],
      ['https://monitor.example ', 'baseUrl: expected the public https address of the service, found'],
      ['', 'baseUrl: the public https address of the service'],
    ])('refuses the address "%s"', (baseUrl, words) => {
      expect(refusal({ baseUrl })).toContain(words)
    })

    it.each(['BASE_URL', 'METRICS_PORT', 'PORT', 'HOST'])(
      'refuses a variable that it sets itself, or whose port it has said: %s',
      (name) => {
        expect(refusal({ environment: { [name]: 'http://monitor.example' } })).toContain(
          `environment.${name}: the chart says this itself; leave it out`,
        )
      },
    )

    // As with the values of an earlier release (`helm upgrade --reuse-values`), which lack what is new.
    it.each([
      [{ serve: { autoscaling: null } }, 'serve', 'autoscaling'],
      [{ work: { autoscaling: { oldestJobAge: null } } }, 'work.autoscaling', 'oldestJobAge'],
      [{ ca: { configMap: 'authority', key: null } }, 'ca', 'key'],
      [{ disruptionBudget: null }, '', 'disruptionBudget'],
      [{ networkPolicy: null }, '', 'networkPolicy'],
    ])('says which value is missing: %j', (values, place, name) => {
      expect(refusal(values)).toMatch(
        new RegExp(`${placed(place)}: (${name} is required|missing property '${name}')`),
      )
    })

    it('gives the pods of both roles what the cluster asks of them', () => {
      const rendered = render({
        imagePullSecrets: [{ name: 'registry' }],
        podAnnotations: { 'example.com/scraped': 'yes' },
        nodeSelector: { 'example.com/pool': 'services' },
        tolerations: [{ key: 'example.com/pool', operator: 'Exists' }],
      })
      for (const role of ['serve', 'work']) {
        const [, pod = ''] = rendered.get(`Deployment monitor-${role}`)?.split('\n  template:\n') ?? []
        expect(pod).toContain('\n      annotations:\n        example.com/scraped: "yes"\n')
        expect(pod).toContain('\n      imagePullSecrets:\n        - name: registry\n')
        expect(pod).toContain('\n      nodeSelector:\n        example.com/pool: services\n')
        expect(pod).toContain(
          '\n      tolerations:\n        - key: example.com/pool\n          operator: Exists\n',
        )
      }
    })

    it.each([
      ['configMap', 'configMap:\n            name: authority'],
      ['secret', 'secret:\n            secretName: authority'],
    ])('mounts the file of an authority from a %s', (kind, source) => {
      const rendered = render({ ca: { [kind]: 'authority', key: 'root.pem' } })
      for (const role of ['serve', 'work']) {
        const text = rendered.get(`Deployment monitor-${role}`) ?? ''
        expect(text).toContain(`- name: ca\n          ${source}\n`)
        expect(text).toContain('items: [{ key: "root.pem", path: ca.crt }]')
        expect(text).toContain('- name: ca\n              mountPath: /etc/sbom-monitor/ca\n')
      }
    })

    it('mounts one authority, not two', () => {
      expect(refusal({ ca: { configMap: 'a', secret: 'b' } })).toContain(
        'ca: expected configMap or secret, found both',
      )
    })

    it('closes the network as far as it is told to', () => {
      const from = [{ podSelector: { matchLabels: { app: 'gate' } } }]
      const closed = render({ networkPolicy: { enabled: true } })
      expect([...closed.keys()].sort()).toEqual([
        ...usual.slice(0, 2),
        ...['NetworkPolicy monitor-serve', 'NetworkPolicy monitor-work', ...usual.slice(2)],
      ])
      const [serve = '', work = ''] = ['serve', 'work'].map((role) =>
        closed.get(`NetworkPolicy monitor-${role}`),
      )
      expect(serve).toContain(podsOf('serve'))
      expect(serve).toContain('port: http }]')
      expect(work).toContain(podsOf('work'))
      // A server keeps no empty list, and would find another object each time.
      expect(work).toMatch(/policyTypes:\s+- Ingress\s*$/)
      for (const text of [serve, work]) expect(text).not.toMatch(/egress|Egress|port: probes|from:/)

      const told = render({
        networkPolicy: {
          enabled: true,
          httpFrom: from,
          metricsFrom: from,
          egress: [{ ports: [{ port: 5432 }] }],
        },
      })
      for (const role of ['serve', 'work']) {
        const text = told.get(`NetworkPolicy monitor-${role}`) ?? ''
        expect(text.split('\n      from:\n        - podSelector:').length - 1).toBe(role === 'serve' ? 2 : 1)
        expect(text).toContain('policyTypes:\n    - Ingress\n    - Egress\n')
        expect(text).toContain('port: 53 }]\n    - ports:\n      - port: 5432\n')
      }
    })

    it('has the metrics of both roles scraped', () => {
      const labels = { release: 'prometheus' }
      const rendered = render({ serviceMonitor: { enabled: true, interval: '15s', labels } })
      const [service = '', monitor = ''] = [
        rendered.get('Service monitor-metrics'),
        rendered.get('ServiceMonitor monitor'),
      ]
      const component = 'app.kubernetes.io/component: metrics'
      expect(service).toContain(component)
      const [, selector = ''] = service.split('\n  selector:\n')
      expect(selector).not.toContain('component')
      expect(monitor).toContain(component)
      expect(monitor).toContain('\n    release: prometheus\n')
      expect(monitor).toContain('- port: probes\n      path: /metrics\n      interval: 15s\n')
      // Neither finds the public service.
      expect(rendered.get('Service monitor')).not.toContain('port: 9464')
    })

    it('writes each label once where one of its own is given another value', () => {
      const name = 'app.kubernetes.io/name'
      const monitor = render({
        serviceMonitor: { enabled: true, interval: '15s', labels: { [name]: 'scraped' } },
      }).get('ServiceMonitor monitor')
      const [labels = ''] = (monitor ?? '').split('\nspec:')
      expect(labels.match(/app\.kubernetes\.io\/\w+: .*/g)).toEqual([
        'app.kubernetes.io/instance: monitor',
        `${name}: scraped`,
      ])
    })

    it('adds pods by the metrics of the program', () => {
      const rendered = render({
        serve: { autoscaling: { enabled: true, minReplicas: 3, waitingFiles: 5 } },
        work: { autoscaling: { enabled: true, maxReplicas: 9, oldestJobAge: 30 } },
      })
      const [serve = '', work = ''] = ['serve', 'work'].map((role) =>
        rendered.get(`HorizontalPodAutoscaler monitor-${role}`),
      )
      expect(serve).toContain('minReplicas: 3\n  maxReplicas: 6\n')
      expect(serve).toContain(
        'name: sbom_monitor_parser_waiting_files\n        target:\n          type: AverageValue\n',
      )
      expect(serve).toContain('averageValue: "5"')
      expect(serve).toContain('averageValue: "100m"')
      expect(work).toContain('minReplicas: 2\n  maxReplicas: 9\n')
      expect(work).toContain('name: sbom_monitor_oldest_job_age_seconds\n')
      expect(work).toContain('namespace: ours\n')
      expect(work).toContain('type: Value\n          value: "30"')
      for (const role of ['serve', 'work'])
        expect(rendered.get(`Deployment monitor-${role}`)).not.toContain('replicas:')
    })

    it.each([
      ['a value that there is not', { replicas: 3 }, ''],
      ['one below another', { serve: { replica: 3 } }, 'serve'],
      ['one of autoscaling', { work: { autoscaling: { enabled: true, maxReplica: 9 } } }, 'work.autoscaling'],
      ['another word', { image: { pullPolicy: 'always' } }, 'image.pullPolicy'],
      ['a word for a number', { serve: { replicas: 'two' } }, 'serve.replicas'],
      ['a word for yes or no', { ingress: { enabled: 'no' } }, 'ingress.enabled'],
      ['an address for a host', { ingress: { host: 'https://monitor.example' } }, 'ingress.host'],
      ['an interval without its unit', { serviceMonitor: { interval: '15' } }, 'serviceMonitor.interval'],
      ['a tag that YAML reads as a number', { image: { tag: 1.1 } }, 'image.tag'],
      ['a number that would be written as 1e+06', { environment: { LIMIT: 1_000_000 } }, 'environment.LIMIT'],
      ['more than all', { disruptionBudget: { maxUnavailable: '150%' } }, 'disruptionBudget.maxUnavailable'],
      [
        'an aim of nothing',
        { work: { autoscaling: { oldestJobAge: '0m' } } },
        'work.autoscaling.oldestJobAge',
      ],
    ])('refuses %s', (_what, values, place) => {
      const said = refusal(values)
      expect(said).toContain("values don't meet the specifications of the schema")
      expect(said).toMatch(new RegExp(placed(place)))
    })

    it.each(['serve', 'work'])('refuses more pods of %s at the least than at the most', (role) => {
      const autoscaling = { enabled: true, minReplicas: 7, maxReplicas: 6 }
      expect(refusal({ [role]: { autoscaling } })).toContain(
        `${role}.autoscaling.minReplicas: expected at most maxReplicas, 6, found 7`,
      )
      render({ [role]: { autoscaling: { ...autoscaling, maxReplicas: 7 } } })
    })

    it.each([
      ['https://monitor.example', 'monitor.example'],
      ['https://Monitor.example:8443/sboms', 'monitor.example'],
      ['https://monitor.example', '*.example'],
    ])('leads what is asked of %s from the host %s', (baseUrl, host) => {
      const rendered = render({ baseUrl, ingress: { enabled: true, host, tlsSecret: 'certificate' } })
      expect(rendered.get('Ingress monitor')).toContain(`- host: "${host}"`)
    })

    it.each(['other.example', 'example', '*.monitor.example', 'Monitor.example'])(
      'refuses an ingress whose host is not that of the address: %s',
      (host) => {
        expect(refusal({ ingress: { enabled: true, host, tlsSecret: 'certificate' } })).toContain(
          `ingress.host: expected the host of baseUrl, "monitor.example", found "${host}"`,
        )
      },
    )

    it('refuses a variable with a dash', () => {
      expect(refusal({ environment: { 'TRUST-PROXY': '1' } })).toContain('TRUST-PROXY')
    })

    it('adds pods by one metric where the other is not wanted, and refuses to have neither', () => {
      const only = render({ serve: { autoscaling: { enabled: true, eventLoopLag: null } } })
      expect(only.get('HorizontalPodAutoscaler monitor-serve')).not.toContain('eventloop')
      expect(
        refusal({ serve: { autoscaling: { enabled: true, eventLoopLag: null, waitingFiles: null } } }),
      ).toContain('serve.autoscaling: expected waitingFiles, eventLoopLag or both')
    })
  },
)

type Schema = { properties?: Record<string, Schema>; additionalProperties?: unknown }
const schema = JSON.parse(readFileSync(join(chartDir, 'values.schema.json'), 'utf8')) as Schema

/** Every value below a closed schema, such as `ca.key`; an object with free keys counts as one value. */
function valuesOf({ properties = {} }: Schema, before = ''): string[] {
  return Object.entries(properties).flatMap(([name, below]) => {
    const value = `${before}${name}`
    if (below.properties === undefined) return [value]
    expect(below.additionalProperties, value).toBe(false)
    return valuesOf(below, `${value}.`)
  })
}

/** The same from values.yaml, by indentation. */
function writtenValues(): string[] {
  const path: string[] = []
  const all = readFileSync(join(chartDir, 'values.yaml'), 'utf8').matchAll(/^( *)(\w+):/gm)
  const written = [...all].map(([, indent = '', name = '']) => {
    path.splice(indent.length / 2, Infinity, name)
    return path.join('.')
  })
  return written.filter((value) => !written.some((other) => other.startsWith(`${value}.`)))
}

it('the schema of the chart has every value that there is, and no other', () => {
  const inSchema = valuesOf(schema).filter((value) => value !== 'global')
  const open = ['environment', 'serve.resources', 'work.resources']
  const written = writtenValues().map((value) => open.find((free) => value.startsWith(`${free}.`)) ?? value)
  expect([...new Set(written)].sort()).toEqual(inSchema.sort())
  const templates = readdirSync(join(chartDir, 'templates'))
    .map((file) => readFileSync(join(chartDir, 'templates', file), 'utf8'))
    .join('')
  const read = [...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, value = '']) => value)
  expect(read.length).toBeGreaterThan(20)
  for (const value of read)
    expect(
      inSchema.some((known) => known === value || known.startsWith(`${value}.`)),
      value,
    ).toBe(true)
})

it('docs/deploying.md says how the metrics that add pods come to the cluster', () => {
  const used = readFileSync(join(chartDir, 'templates/autoscaling.yaml'), 'utf8').matchAll(
    /name: (\w+_\w+)$/gm,
  )
  const names = [...used].map(([, name = '']) => name)
  expect(names.length).toBe(3)
  const docs = readFileSync(join(checkoutDir, 'docs/deploying.md'), 'utf8')
  for (const name of names) expect(docs).toContain(`seriesQuery: '${name}`)
})
