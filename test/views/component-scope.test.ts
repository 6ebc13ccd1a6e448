import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { componentScopes } from '../../src/contract/sbom/shapes.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import type { SbomKey } from '../../src/findings/version-slot.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { addRecord } from '../support/records.ts'
import { testNow } from '../support/clock.ts'
import { UploadScene } from '../support/upload-scene.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
  for (const [id, name] of [
    ['CVE-2026-1', 'mocha'],
    ['GHSA-aaaa-bbbb-cccc', 'avahi'],
  ] as const)
    await addRecord(scene.database.db, {
      id,
      aliases: name === 'avahi' ? ['CVE-2026-2'] : [],
      affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', null]] }],
    })
})
afterAll(() => scene.close())

type Entry = {
  name: string
  version?: string
  scope?: unknown
  pedigree?: unknown
  evidence?: unknown
  'bom-ref'?: string
}

async function matched(entries: Entry[]): Promise<SbomKey> {
  const components = entries.map(({ name, version = '1.0.0', ...others }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    ...others,
  }))
  const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: scene.serial(), components }
  return scene.matched(document)
}

const patches = (...resolves: unknown[]) => ({ patches: [{ type: 'backport', resolves }] })
const security = (id: string) => ({ type: 'security', id })

async function explained(entries: Entry[]) {
  const key = await matched(entries)
  const { rows } = await listFindings(scene.database.db, key)
  const findingId = rows[0]?.id ?? ''
  return explainFinding(scene.database.db, { workspaceId: key.workspaceId, findingId, now: testNow })
}

it('shows every name of a component', async () => {
  const identity = ['pkg:npm/avahi-daemon@1.0.0', 'pkg:generic/avahi@1.0.0'].map((concludedValue) => ({
    field: 'purl',
    confidence: 1,
    concludedValue,
  }))
  const { components } = await explained([{ name: 'avahi', evidence: { identity } }])
  expect(components.map(({ purl, otherNames }) => [purl, ...otherNames])).toEqual([
    ['pkg:npm/avahi@1.0.0', 'pkg:npm/avahi-daemon@1.0.0', 'pkg:generic/avahi@1.0.0'],
  ])
})

describe('the scope of a component', () => {
  const all: Entry[] = [
    { name: 'mocha', scope: 'excluded' },
    { name: 'avahi', scope: 'optional' },
    { name: 'left-pad', scope: 'required' },
    { name: 'lodash' },
    { name: 'odd', scope: 'sometimes' },
  ]

  it('is shown in the list of components, which filters by it', async () => {
    const key = await matched(all)
    const read = async (scope?: (typeof componentScopes)[number]) => {
      const query = { ...key, search: undefined, scope, sort: 'name', cursor: undefined } as const
      const { rows, total } = await listComponents(scene.database.db, query)
      expect(total).toBe(rows.length)
      return rows.map((row) => `${row.name} ${row.scope ?? '-'}`)
    }
    expect(await read()).toEqual([
      'avahi optional',
      'left-pad required',
      'lodash -',
      'mocha excluded',
      'odd -',
    ])
    expect(await read('required')).toEqual(['left-pad required', 'lodash -', 'odd -'])
    expect(await read('optional')).toEqual(['avahi optional'])
    expect(await read('excluded')).toEqual(['mocha excluded'])
  })

  it('is shown on findings, which it filters and does not take away', async () => {
    const key = await matched(all)
    const read = async (scope?: (typeof componentScopes)[number]) => {
      const { rows, total } = await listFindings(scene.database.db, { ...key, scope })
      expect(total).toBe(rows.length)
      return rows.map(({ component }) => `${component.name} ${component.scope ?? '-'}`).sort()
    }
    expect(await read()).toEqual(['avahi optional', 'mocha excluded'])
    expect(await read('required')).toEqual([])
    expect(await read('optional')).toEqual(['avahi optional'])
    expect(await read('excluded')).toEqual(['mocha excluded'])
  })

  it.each([
    [['excluded', 'optional'], 'optional'],
    [['excluded', undefined, 'optional'], null],
    [['optional', undefined, 'required'], 'required'],
    [['excluded', 'excluded'], 'excluded'],
  ])('of a finding on components that are %s is the widest', async (scopes, widest) => {
    const entries = scopes.map((scope, at) => ({
      name: 'mocha',
      'bom-ref': String(at),
      supplier: { name: String(at) },
      ...(scope === undefined ? {} : { scope }),
    }))
    const { rows } = await listFindings(scene.database.db, await matched(entries))
    expect(rows.map(({ component, occurrences }) => [component.scope, occurrences])).toEqual([
      [widest, scopes.length],
    ])
  })

  it('is part of what a component is: with another one it is another component', async () => {
    const key = await matched([{ name: 'mocha', scope: 'excluded' }, { name: 'mocha' }, { name: 'mocha' }])
    const query = { ...key, search: undefined, sort: 'name', cursor: undefined } as const
    expect((await listComponents(scene.database.db, query)).total).toBe(2)
  })
})

describe('a patch that an SBOM says fixes a vulnerability', () => {
  it.each([
    ['by its CVE', patches(security('CVE-2026-2')), ['CVE-2026-2']],
    ['by the id of the record', patches(security('GHSA-aaaa-bbbb-cccc')), ['GHSA-aaaa-bbbb-cccc']],
    ['in small letters', patches(security('cve-2026-2')), ['cve-2026-2']],
    ['by its name alone', patches({ type: 'security', name: 'CVE-2026-2' }), ['CVE-2026-2']],
    ['among others', patches(security('CVE-1999-1'), security('CVE-2026-2')), ['CVE-2026-2']],
    ['that is another one', patches(security('CVE-2026-1')), []],
    ['as a mere defect', patches({ type: 'defect', id: 'CVE-2026-2' }), []],
    ['without patches', { notes: 'CVE-2026-2' }, []],
    ['of the wrong kind', { patches: [{ resolves: ['CVE-2026-2', 7, null] }, 'x'] }, []],
  ])('is shown on its finding, where it names it %s', async (_, pedigree, resolves) => {
    const { components, verdict } = await explained([{ name: 'avahi', pedigree }])
    expect(components.map((component) => component.resolves)).toEqual([resolves])
    expect(verdict).toBeNull()
  })

  it('keeps at most a hundred ids of a component', async () => {
    const many = Array.from({ length: 150 }, (_, at) => security(`CVE-2020-${1000 + at}`))
    const { components } = await explained([
      { name: 'avahi', pedigree: patches(...many, security('CVE-2026-2')) },
    ])
    expect(components[0]?.resolves).toEqual([])
  })
})
