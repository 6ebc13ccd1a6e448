import { afterAll, beforeAll, expect, it } from 'vitest'
import { listStatements } from '../../src/views/vex/list-statements.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { fixedIn, loadRecords } from '../matching/match-support.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'

/** Packages that a distribution builds from one source in one version. */

let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open()
  await loadRecords(scene.database.db, fixedIn('DEBIAN-CVE-2026-1', 'Debian:12', 'curl', '2.0-1'))
})
afterAll(() => scene.close())

const built = (name: string) => `pkg:deb/debian/${name}@1.0-1?arch=amd64&distro=debian-12&upstream=curl`

it('have one finding, which stays open until statements cover each of them', async () => {
  const components = ['curl', 'libcurl4'].map((name) => ({ type: 'library', name, purl: built(name) }))
  const { id: sbomId } = await scene.uploaded(cyclonedx({ components }))
  let documentId = ''
  const standing = async () => {
    const { workspaceId } = scene.company
    const page = await listStatements(scene.database.db, { workspaceId, documentId, show: 'statements' })
    return page.rows.flatMap(({ boundFindings }) =>
      boundFindings.map(
        ({ component, decides, needsOthers }) => [component, { decides, needsOthers }] as const,
      ),
    )
  }
  const open = async (...said: [name: string, status: 'fixed' | 'not_affected'][]) => {
    const statements = said.map(([name, status]) => ({
      vulnerability: { name: 'DEBIAN-CVE-2026-1' },
      products: [{ '@id': built(name) }],
      status,
      ...(status === 'fixed' ? {} : { justification: 'vulnerable_code_not_present' }),
    }))
    const head = { '@context': 'https://openvex.dev/ns/v0.2.0', '@id': `https://acme.example/${said.length}` }
    const rest = { author: 'Acme', timestamp: '2026-01-01T00:00:00Z', version: 1, statements }
    if (said.length > 0) documentId = (await scene.uploadedVex(JSON.stringify({ ...head, ...rest }))).id
    await drain(scene.database.db, testNow)
    const key = { workspaceId: scene.company.workspaceId, sbomId }
    const { rows } = await listFindings(scene.database.db, { ...key, verdict: 'all' })
    return rows.map(({ verdict }) => verdict)
  }
  expect(await open()).toEqual([null])
  expect(await open(['libcurl4', 'not_affected'])).toEqual([null])
  expect(await standing()).toEqual([['libcurl4', { decides: false, needsOthers: true }]])
  expect(await open(['libcurl4', 'not_affected'], ['curl', 'fixed'])).toEqual(['fixed'])
  expect((await standing()).map(([component, { needsOthers }]) => [component, needsOthers])).toEqual([
    ['libcurl4', false],
    ['curl', false],
  ])
})
