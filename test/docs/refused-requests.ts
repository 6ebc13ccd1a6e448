import { gzipSync } from 'node:zlib'
import { limits } from '../../src/contract/limits.ts'

/** A request refused with a code, and the state it needs. */
export type RefusedRequest = {
  body?: string | Uint8Array
  headers?: Record<string, string>
  query?: string
  state?: 'unknown_token' | 'family_deleted' | 'used_up' | 'free' | 'starter' | 'without_key'
}

const json = (value: unknown) => JSON.stringify(value)
const cyclonedx = (fields: object) => json({ bomFormat: 'CycloneDX', specVersion: '1.6', ...fields })
const many = (entry: object) => Array.from({ length: limits.components + 1 }, () => entry)

const openvex = (statements: unknown) =>
  json({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://acme.example/vex/1',
    author: 'Acme',
    timestamp: '2026-01-01T00:00:00Z',
    version: 1,
    statements,
  })

const statement = {
  vulnerability: { name: 'CVE-2026-1' },
  products: [{ '@id': 'pkg:npm/a@1' }],
  status: 'affected',
}

/** A notification with this BOM, or without one. */
function processed(bom: string | null): string {
  const content = bom === null ? {} : { bom: { content: Buffer.from(bom).toString('base64') } }
  const subject = { project: { uuid: 'c9c9539a-e381-4b36-ac52-6a7ab83b2c95', name: 'pump' }, ...content }
  const group = {
    level: 'INFORMATIONAL',
    scope: 'PORTFOLIO',
    group: 'BOM_PROCESSED',
    title: 't',
    content: 'c',
  }
  return json({ notification: { ...group, timestamp: '2026-01-01T00:00:00.000', subject } })
}

const upload: Record<string, RefusedRequest> = {
  unauthorized: { state: 'unknown_token' },
  family_not_found: { state: 'family_deleted' },
  rate_limited: { state: 'used_up' },
  billing_lapsed: { state: 'free', body: cyclonedx({}) },
  too_large: { body: Buffer.alloc(limits.bodySentBytes + 1, ' ') },
  empty: { body: '' },
  bad_encoding: { body: gzipSync('{}'), headers: { 'Content-Encoding': 'br' } },
  invalid_json: { body: '{"bomFormat": "CycloneDX",' },
}

const workspace: Record<string, RefusedRequest> = {
  unauthorized: { state: 'unknown_token' },
  rate_limited: { state: 'used_up' },
  billing_lapsed: { state: 'free', body: '{}' },
}

/** By operation and code. */
export const refusedRequests: Readonly<Record<string, Readonly<Record<string, RefusedRequest>>>> = {
  uploadSbom: {
    ...upload,
    invalid_sbom: { body: cyclonedx({ components: [{ type: 'library' }] }) },
    xml_unsupported: { body: '<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>' },
    unsupported_format: { body: json({ bomFormat: 'CycloneDX', specVersion: '1.3' }) },
    too_many_components: { body: cyclonedx({ components: many({ type: 'library', name: 'a' }) }) },
  },
  getSbomResult: {
    unauthorized: upload['unauthorized'] ?? {},
    family_not_found: upload['family_not_found'] ?? {},
    rate_limited: upload['rate_limited'] ?? {},
    invalid_request: { query: '?wait=soon' },
    not_found: {},
  },
  uploadVex: {
    ...upload,
    invalid_vex: { body: openvex({}) },
    unsupported_vex: { body: cyclonedx({ components: [] }) },
    no_statements: { body: openvex([]) },
    too_many_statements: { body: gzipSync(openvex(many(statement))) },
  },
  receiveDependencyTrack: {
    ...upload,
    billing_lapsed: { state: 'free', body: processed(cyclonedx({})) },
    invalid_notification: { body: '{}' },
    invalid_sbom: { body: processed(cyclonedx({ components: [{ type: 'library' }] })) },
    unsupported_media_type: { headers: { 'Content-Type': 'text/plain' }, body: '{}' },
    xml_unsupported: { body: processed('<?xml version="1.0"?><bom/>') },
    unsupported_format: { body: processed(json({ bomFormat: 'CycloneDX', specVersion: '1.3' })) },
    too_many_components: { body: processed(cyclonedx({ components: many({ type: 'file', name: 'a' }) })) },
    bom_omitted: { body: processed(null) },
  },
  listAlertDestinations: workspace,
  addAlertDestination: {
    ...workspace,
    plan_required: { state: 'starter', body: '{}' },
    not_configured: { state: 'without_key', body: '{}' },
    too_large: { body: ' '.repeat(16_385) },
    invalid_json: { body: '{' },
    invalid_request: {
      body: json({ kind: 'webhook', name: '', url: 'http://alerts.example.com', events: [] }),
    },
  },
  removeAlertDestination: { ...workspace, not_found: {} },
}
