import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleVex } from '../support/sample-vex.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'

/** Times that one of JSON, JavaScript and the database accepts and another does not. */
const times = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
]

let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())

describe.each(times)('a document of %s is stored without this time', (time) => {
  const serial = () => `urn:uuid:00000000-0000-4000-8000-${scene.serial().toString().padStart(12, '0')}`
  const vulnerability = {
    id: 'CVE-2026-1',
    affects: [{ ref: 'a' }],
    updated: time,
    analysis: { state: 'exploitable', firstIssued: time, lastUpdated: time },
  }
  const components = [{ type: 'library', name: 'a', 'bom-ref': 'a', purl: 'pkg:npm/a@1' }]

  it('CycloneDX', async () => {
    const { id } = await scene.uploaded(
      cyclonedx({
        serialNumber: serial(),
        metadata: { timestamp: time },
        components,
        vulnerabilities: [vulnerability],
      }),
    )
    expect(await scene.sbomRow(id)).toMatchObject({ document_created_at: null })
  })

  it('SPDX', async () => {
    const document = {
      spdxVersion: 'SPDX-2.3',
      SPDXID: 'SPDXRef-DOCUMENT',
      name: serial(),
      documentNamespace: `https://example.com/${serial()}`,
      creationInfo: { created: time, creators: ['Tool: x'] },
      packages: [{ SPDXID: 'SPDXRef-a', name: 'a', versionInfo: '1', downloadLocation: 'NOASSERTION' }],
    }
    const { id } = await scene.uploaded(JSON.stringify(document))
    expect(await scene.sbomRow(id)).toMatchObject({ document_created_at: null })
  })

  it('OpenVEX', async () => {
    const body = sampleVex(scene.serial(), { fields: { timestamp: time } })
    expect(await scene.upload(body, { path: '/api/v1/vex' })).toMatchObject({ status: 202 })
  })

  it('CycloneDX with vulnerabilities', async () => {
    const body = cyclonedx({
      serialNumber: serial(),
      metadata: { timestamp: time },
      components,
      vulnerabilities: [vulnerability],
    })
    expect(await scene.upload(body, { path: '/api/v1/vex' })).toMatchObject({ status: 202 })
  })
})
