import { exampleBase, exampleId, refused, type PublicExample } from '../../../docs-site/examples/example.ts'
import { invalidJson, oldFormat, tokenRefused } from '../upload-examples.ts'

const receipt = {
  id: exampleId,
  status: 'parsed',
  components: 1,
  version: '2.4.1',
  url: `${exampleBase}/app/acme/sboms/${exampleId}`,
  duplicate: false,
}

/** `{"bomFormat":"CycloneDX","specVersion":"1.5",…}` with one component. */
const bom =
  'eyJib21Gb3JtYXQiOiJDeWNsb25lRFgiLCJzcGVjVmVyc2lvbiI6IjEuNSIsInZlcnNpb24iOjEsImNvbXBvbmVudHMiOlt7InR5cGUiOiJsaWJyYXJ5IiwibmFtZSI6ImxlZnQtcGFkIiwidmVyc2lvbiI6IjEuMy4wIiwicHVybCI6InBrZzpucG0vbGVmdC1wYWRAMS4zLjAifV19'

const processed = {
  notification: {
    level: 'INFORMATIONAL',
    scope: 'PORTFOLIO',
    group: 'BOM_PROCESSED',
    timestamp: '2026-01-01T00:00:00.000000000',
    title: 'Bill of Materials Processed',
    content: 'A CycloneDX BOM was processed',
    subject: {
      project: {
        uuid: '6fb1820f-5280-4577-ac51-40124aabe307',
        name: 'pump-controller',
        version: '2.4.1',
      },
      bom: { content: bom, format: 'CycloneDX', specVersion: '1.5' },
    },
  },
}

const other = {
  notification: {
    level: 'INFORMATIONAL',
    scope: 'PORTFOLIO',
    group: 'NEW_VULNERABILITY',
    timestamp: '2026-01-01T00:00:00.000000000',
    title: 'New Vulnerability Identified',
    content: 'A vulnerability was identified',
    subject: {},
  },
}

const trial = {
  notification: {
    level: 'ERROR',
    scope: 'SYSTEM',
    group: 'ANALYZER',
    timestamp: '2026-01-01T00:00:00.000000000',
    title: 'Notification Test',
    content: 'Rule configuration test',
  },
}

export const examples: readonly PublicExample[] = [
  {
    name: 'processed',
    summary: 'A BOM was processed: it is stored',
    request: { body: processed },
    answer: { status: 202, body: receipt },
  },
  {
    name: 'duplicate',
    summary: 'The same BOM again',
    request: { body: processed },
    answer: { status: 200, body: { ...receipt, status: 'matched', duplicate: true } },
  },
  {
    name: 'test',
    summary: 'A test notification',
    request: { body: trial },
    answer: {
      status: 200,
      body: {
        test: true,
        group: 'ANALYZER',
        message: 'The connection works: the token is valid. BOMs will be stored.',
      },
    },
  },
  {
    name: 'other',
    summary: 'A notification of another group',
    request: { body: other },
    answer: {
      status: 202,
      body: {
        ignored: true,
        group: 'NEW_VULNERABILITY',
        message: 'Only BOM_PROCESSED and BOM_CONSUMED carry a BOM. Nothing is stored.',
      },
    },
  },
  ...tokenRefused,
  invalidJson,
  refused('invalid_notification', { detail: '/notification: expected an object, found nothing' }),
  refused('invalid_sbom', { detail: 'in the BOM: /components/0/name: expected a string, found nothing' }),
  refused('unsupported_media_type', {
    detail: 'Content-Type: expected application/json, found "text/plain"',
  }),
  refused('xml_unsupported'),
  oldFormat,
  refused('too_many_components'),
  refused('bom_omitted', {
    message:
      'The notification carries no BOM. Dependency-Track 5 leaves it out: export the BOM from the API of the platform and send it to /api/v1/sboms with X-Service-Source: sbom_tracker.',
  }),
]
