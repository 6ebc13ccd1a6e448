import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  formsOfVexFormat,
  vexFormats,
  type VexForm,
  type VexFormat,
} from '../../../src/contract/vex/shapes.ts'
import { isSuppressed, type Bom } from './dependency-track.ts'
import {
  ExportScene,
  ids,
  image,
  left,
  mainNames,
  right,
  spare,
  statement,
  type Main,
} from './export-scene.ts'
import { buildScanners, runScanners, type Effect, type Scan } from './scanners.ts'
import { textWith } from '../../support/expected.ts'
import { fieldOf, listIn, objectIn } from '../../support/read-as.ts'

let scene: ExportScene
let folder: string
const documents = new Map<string, string>()

const exports = vexFormats.flatMap((format) => formsOfVexFormat[format].map((form) => ({ format, form })))
const keyOf = (format: VexFormat, form: VexForm, main: Main) => `${format} ${form} ${main}`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vex-effects-'))
  scene = await ExportScene.open()
  for (const { format, form } of exports) {
    for (const main of mainNames) {
      const { status, body } = await scene.export(main, format, form)
      expect(status, JSON.stringify(body)).toBe(200)
      documents.set(keyOf(format, form, main), JSON.stringify(body))
    }
  }
})

afterAll(async () => {
  await scene.close()
  rmSync(folder, { recursive: true, force: true })
})

const documentOf = (format: VexFormat, form: VexForm, main: Main) =>
  documents.get(keyOf(format, form, main)) ?? ''

/** The table of docs/vex.md: the other columns for each format and form. */
function tableOfEffects(): Map<string, Record<string, string>> {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/vex.md'), 'utf8')
  const lines = text.split('\n').filter((line) => line.startsWith('|'))
  const cells = (line: string) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1)
  const at = lines.findIndex((line) => cells(line)[0] === 'export')
  const names = cells(lines[at] ?? '')
  return new Map(
    lines.slice(at + 2).map((line) => {
      const row = Object.fromEntries(cells(line).map((cell, place) => [names[place] ?? '', cell]))
      return [row['export'] ?? '', row]
    }),
  )
}

const rowNames: Record<VexFormat, Partial<Record<VexForm, string>>> = {
  openvex: { in_product: 'OpenVEX', component: 'OpenVEX, components by themselves' },
  csaf: { in_product: 'CSAF' },
  cyclonedx: {
    in_product: 'CycloneDX',
    bom_link: 'CycloneDX, links into the SBOM',
    every_id: 'CycloneDX, an entry for each id',
  },
}

/** The content of a cell: the main components for which a finding is hidden, listed by the tool under its CVE or its GitHub id. */
function cellOf(hidden: { main: Main; cve: boolean; ghsa: boolean }[]): string {
  const by = (id: 'cve' | 'ghsa') => hidden.filter((one) => one[id]).map(({ main }) => main)
  const words = (found: Main[]) => (found.length === hidden.length ? 'acts' : `acts: ${found.join(', ')}`)
  const [cve, ghsa] = [by('cve'), by('ghsa')]
  if (cve.length === 0 && ghsa.length === 0) return 'no'
  if (ghsa.length === 0) return `${words(cve)}, for a CVE`
  return cve.join() === ghsa.join() ? words(cve) : `${words(cve)}; GHSA ${words(ghsa)}`
}

const columns: { name: string; tool: Scan['tool']; isImage: boolean }[] = [
  { name: 'grype, an SBOM', tool: 'grype', isImage: false },
  { name: 'grype, the image', tool: 'grype', isImage: true },
  { name: 'trivy, an SBOM', tool: 'trivy', isImage: false },
  { name: 'trivy, the image', tool: 'trivy', isImage: true },
]

const scanOf = (given: Pick<Scan, 'tool' | 'vex' | 'vulnerability'>, main: Main, isImage: boolean): Scan => {
  const sbom = join(folder, `${main}.cdx.json`)
  writeFileSync(sbom, ExportScene.sbom(main))
  return { ...given, sbom, package: left, image: isImage ? image : null }
}

function written(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('grype and trivy', () => {
  it(
    'do with an export what the table says, and hide nothing else',
    { timeout: 1_500_000 },
    async ({ skip }) => {
      const program = await buildScanners(folder)
      if ('missing' in program) skip(program.missing)
      const path = 'path' in program ? program.path : ''
      const cells = exports.flatMap(({ format, form }) =>
        columns.map(({ name, tool, isImage }) => {
          const kinds: Main[] = isImage ? ['image purl'] : mainNames
          return { row: rowNames[format][form] ?? '', name, kinds, format, form, tool, isImage }
        }),
      )
      const scans = cells.flatMap(({ kinds, format, form, tool, isImage }) =>
        kinds.flatMap((main) => {
          const vex = written(`${keyOf(format, form, main)}.json`, documentOf(format, form, main))
          const scan = (vulnerability: string) => scanOf({ tool, vex, vulnerability }, main, isImage)
          const other = { ...scan(ids.cve), package: right }
          return [scan(ids.cve), scan(ids.ghsa), other, scan('CVE-2024-2')]
        }),
      )
      const effects = await runScanners(path, scans)
      expect(effects).toHaveLength(scans.length)
      const table = tableOfEffects()
      const found: Record<string, string> = {}
      const said: Record<string, string | undefined> = {}
      for (const { row, name, kinds } of cells) {
        const judged = kinds.map((main) => ({ main, effects: effects.splice(0, 4) }))
        found[`${row}: ${name}`] = cellOfEffects(judged)
        said[`${row}: ${name}`] = table.get(row)?.[name]
      }
      expect(said).toEqual(found)

      const bare = written('no-cve.json', await exportOfGhsaAlone())
      const [stopped] = await runScanners(path, [
        scanOf({ tool: 'trivy', vex: bare, vulnerability: ids.cve }, 'none', false),
      ])
      expect(stopped?.error).toMatch(/^panic: /)
    },
  )
})

function cellOfEffects(judged: { main: Main; effects: Effect[] }[]): string {
  const all = judged.flatMap(({ effects }) => effects)
  if (all.every(({ error }) => error !== undefined)) return 'refused'
  expect(all.filter(({ error }) => error !== undefined)).toEqual([])
  // another component, and another vulnerability
  expect(judged.flatMap(({ effects }) => effects.slice(2)).filter(({ hidden }) => hidden)).toEqual([])
  return cellOf(
    judged.map(({ main, effects: [cve, ghsa] }) => ({
      main,
      cve: cve?.hidden === true,
      ghsa: ghsa?.hidden === true,
    })),
  )
}

/** A document that names a vulnerability without a CVE. */
async function exportOfGhsaAlone(): Promise<string> {
  await scene.send(spare, 'sboms', ExportScene.sbom('none'))
  await scene.send(spare, 'vex', statement('GHSA-dddd-eeee-ffff'))
  return JSON.stringify((await scene.export(spare, 'csaf')).body)
}

describe('Dependency-Track', () => {
  const column = 'Dependency-Track'
  type Sent = { components: { purl: string; name: string; version: string; group?: string }[] }
  const findings = (main: Main, component: string) => {
    const { components } = JSON.parse(ExportScene.sbom(main)) as Sent
    const found = components.find(({ purl }) => purl === component)
    if (found === undefined) throw new Error('no such component')
    return { cve: { source: 'NVD', id: ids.cve }, ghsa: { source: 'GITHUB', id: ids.ghsa }, component: found }
  }

  it('does with an export what the table says', () => {
    const table = tableOfEffects()
    for (const { format, form } of exports) {
      const row = rowNames[format][form] ?? ''
      const hidden = mainNames.map((main) => {
        const vex = JSON.parse(documentOf(format, form, main)) as Bom
        const { cve, ghsa, component } = findings(main, left)
        return {
          main,
          cve: format === 'cyclonedx' && isSuppressed(vex, { ...cve, component }),
          ghsa: format === 'cyclonedx' && isSuppressed(vex, { ...ghsa, component }),
        }
      })
      expect(table.get(row)?.[column], row).toBe(format === 'cyclonedx' ? cellOf(hidden) : 'refused')
    }
  })

  it.each<[form: VexForm, isHidden: boolean]>([
    ['in_product', false],
    ['every_id', false],
    // it takes an unresolvable BOM-Link for the project
    ['bom_link', true],
  ])('in the form %s the other component is hidden: %s', (form, isHidden) => {
    const vex = JSON.parse(documentOf('cyclonedx', form, 'generic purl')) as Bom
    const { cve, component } = findings('generic purl', right)
    expect(isSuppressed(vex, { ...cve, component })).toBe(isHidden)
  })

  const component = { name: 'left', version: '1.0.0', group: '@acme', purl: left }
  const entry = {
    id: 'CVE-2024-1',
    source: { name: 'NVD' },
    analysis: { state: 'not_affected' },
    affects: [{ ref: 'a' }],
  }
  const located = { 'bom-ref': 'a', ...component }
  it.each<[rule: string, vex: Bom, isHidden: boolean]>([
    ['takes what names a component', { components: [located], vulnerabilities: [entry] }, true],
    [
      'skips an entry without source',
      { components: [located], vulnerabilities: [{ ...entry, source: {} }] },
      false,
    ],
    [
      'skips a source that it does not know',
      { components: [located], vulnerabilities: [{ ...entry, source: { name: 'EUVD' } }] },
      false,
    ],
    [
      'compares the source with that of its finding',
      { components: [located], vulnerabilities: [{ ...entry, source: { name: 'GITHUB' } }] },
      false,
    ],
    ['skips a reference that it cannot locate', { components: [], vulnerabilities: [entry] }, false],
    [
      'takes the main component for the whole project',
      { metadata: { component: { 'bom-ref': 'a', name: 'pump' } }, vulnerabilities: [entry] },
      true,
    ],
    [
      'takes a BOM-Link that it cannot locate for the whole project',
      {
        vulnerabilities: [
          { ...entry, affects: [{ ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#a' }] },
        ],
      },
      true,
    ],
    [
      'finds a component without the qualifiers of its purl',
      { components: [{ 'bom-ref': 'a', name: 'x', purl: `${left}?arch=x` }], vulnerabilities: [entry] },
      true,
    ],
    [
      'finds a component by group, name and version',
      {
        components: [{ 'bom-ref': 'a', name: 'left', group: '@acme', version: '1.0.0' }],
        vulnerabilities: [entry],
      },
      true,
    ],
    [
      'is not misled by a namesake in another group',
      {
        components: [{ ...located, purl: 'pkg:npm/%40b/left@1.0.0', group: '@b' }],
        vulnerabilities: [entry],
      },
      false,
    ],
    [
      'suppresses nothing that is affected',
      { components: [located], vulnerabilities: [{ ...entry, analysis: { state: 'exploitable' } }] },
      false,
    ],
    [
      'lets the last entry decide',
      { components: [located], vulnerabilities: [{ ...entry, analysis: { state: 'in_triage' } }, entry] },
      true,
    ],
  ])('%s', (_rule, vex, isHidden) => {
    expect(isSuppressed(vex, { source: 'NVD', id: 'CVE-2024-1', component })).toBe(isHidden)
  })
})

describe('a form is refused', () => {
  it.each<[VexFormat, VexForm]>([
    ['openvex', 'bom_link'],
    ['csaf', 'component'],
    ['cyclonedx', 'component'],
  ])('that %s does not know: %s', async (format, form) => {
    const fields: unknown = { form: textWith('This format knows "in_product"') }
    expect(await scene.export('none', format, form)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', fields },
    })
  })

  it('that links into several SBOMs', async () => {
    const second = ExportScene.sbom('none').replace('urn:uuid:0', 'urn:uuid:1')
    await scene.send('none', 'sboms', second, '2.0')
    await scene.send('none', 'vex', statement(ids.cve), '2.0')
    expect(await scene.export('none', 'cyclonedx', 'bom_link', null)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        fields: { version: textWith('one version') },
      },
    })
  })

  it('that links into an SBOM without serial number', async () => {
    const { serialNumber: _serial, ...rest } = objectIn(ExportScene.sbom('none'))
    await scene.send('none', 'sboms', JSON.stringify(rest), '3.0')
    await scene.send('none', 'vex', statement(ids.cve), '3.0')
    expect(await scene.export('none', 'cyclonedx', 'bom_link', '3.0')).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        fields: { form: textWith('serial number') },
      },
    })
  })
})

it('what links into the SBOM is read back to the same verdicts', async () => {
  const before = await scene.export('generic purl', 'openvex')
  await scene.send('generic purl', 'vex', documentOf('cyclonedx', 'bom_link', 'generic purl'))
  const after = await scene.export('generic purl', 'openvex')
  const said = ({ body }: typeof after) =>
    listIn(body, 'statements').map((one) => [fieldOf(one, 'products'), fieldOf(one, 'status')])
  expect(said(after)).toEqual(said(before))
})
