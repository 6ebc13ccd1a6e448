import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { loadWebAuthn } from './web-authn.ts'

it('checks no certificate of a device: the library would fetch revocation lists by itself', async () => {
  const folder = dirname(fileURLToPath(import.meta.resolve('@simplewebauthn/server')))
  const formatFiles = readdirSync(join(folder, 'services/defaultRootCerts'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => name.replace('.js', ''))
  // those of the metadata service, which is never started
  const formats = formatFiles.filter((name) => name !== 'mds')
  expect(formats.length).toBeGreaterThan(2)
  const { SettingsService } = await loadWebAuthn()
  for (const identifier of formats as Parameters<
    typeof SettingsService.getRootCertificates
  >[0]['identifier'][])
    expect(SettingsService.getRootCertificates({ identifier })).toEqual([])
})
