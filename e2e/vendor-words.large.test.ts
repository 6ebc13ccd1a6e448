import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { baseos9, rhel9, vexFile } from '../test/vulndata/red-hat-vex-files.ts'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page

const notice = {
  id: 'RHSA-2026:0001',
  modified: '2026-01-05T00:00:00Z',
  summary: 'Moderate: samba security update',
  upstream: ['CVE-2026-0001', 'CVE-2026-0002'],
  affected: [
    {
      package: { ecosystem: 'Red Hat:enterprise_linux:9::baseos', name: 'samba-libs' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '4.18.6-1.el9' }] }],
    },
  ],
}

const files = [
  vexFile('CVE-2026-0001', [
    {
      status: 'fixed',
      product: baseos9,
      packaged: 'samba-libs-0:4.18.6-1.el9.x86_64',
      advisory: 'RHSA-2026:0001',
      impact: 'Moderate',
    },
  ]),
  vexFile('CVE-2026-0002', [
    {
      status: 'known_affected',
      product: rhel9,
      packaged: 'samba',
      remedy: ['no_fix_planned', 'Will not fix'],
      impact: 'Low',
    },
  ]),
]

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' })
  page = scene.page
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-vendor-'))
  for (const [name, values] of Object.entries({ 'notice.ndjson': [notice], 'vex.ndjson': files })) {
    await writeFile(join(folder, name), values.map((value) => JSON.stringify(value)).join('\n'))
    await scene.service.cli(['vulnerabilities', 'import', join(folder, name)])
  }
  await rm(folder, { recursive: true })
  const purl =
    'pkg:rpm/redhat/samba-libs@4.17.5-1.el9?arch=x86_64&upstream=samba-4.17.5-1.el9.src.rpm&distro=rhel-9.3'
  const components = [{ type: 'library', name: 'samba-libs', version: '4.17.5-1.el9', purl }]
  await scene.sendSbom(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }))
}, 240_000)
endAfterTests(() => scene)

const said = () => page.getByRole('region', { name: 'Red Hat says' })

it('the evidence of a finding shows what Red Hat says, and that it decides nothing', async () => {
  await scene.signIn(page, 'olga@acme.example')
  const { rows } = await scene.store.query<{ id: string }>('select id from finding')
  expect(rows).toHaveLength(1)
  await page.goto(`${scene.service.baseUrl}/app/acme/vulnerabilities/CVE-2026-0002`)
  await said().getByText('Affected: will not fix').waitFor()
  await scene.look('vendor-words-cve')
  await page.goto(`${scene.service.baseUrl}/app/acme/findings/${rows[0]?.id ?? ''}`)
  await said().getByText('Fixed in 4.18.6-1.el9').waitFor()
  expect(await said().getByText('Affected: will not fix').count()).toBe(1)
  expect(
    await said()
      .getByRole('link', { name: /CVE-2026-0002 at Red Hat/ })
      .getAttribute('href'),
  ).toBe('https://access.redhat.com/security/cve/CVE-2026-0002')
  expect(await said().getByText('it changes no verdict').count()).toBe(1)
  await scene.look('vendor-words-finding')
})
