/** Formats of attestation for which the library brings root certificates (its `services/defaultRootCerts`). */
const withRoots = ['android-key', 'android-safetynet', 'apple'] as const

/**
 * It brings 300 modules for certificate formats: loaded on the first use of a passkey, which most processes never see. Who made a passkey's device
 * decides nothing here. The library's root certificates are taken away: with them it would fetch the revocation lists that the certificates of an
 * answer name, past the guarded client.
 */
export async function loadWebAuthn() {
  const library = await import('@simplewebauthn/server')
  for (const identifier of withRoots) {
    library.SettingsService.setRootCertificates({ identifier, certificates: [] })
  }
  return library
}
