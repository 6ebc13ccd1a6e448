import type { FastifySchema } from 'fastify'
import { Type } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { SbomReceipt } from '../../contract/sbom.ts'
import { internal, refusalResponses, tokenRefusals, type Refusals } from './public-refusals.ts'

/** Description of the connector: shown at /docs, never used to judge a request. */

const refusals: Refusals = [
  { code: 'invalid_json', when: 'the body, or the BOM in it, is not JSON.' },
  {
    code: 'invalid_notification',
    when: 'the body is not a BOM notification of the platform; `detail` says what is missing or wrong.',
  },
  { code: 'invalid_sbom', when: 'the structure of the BOM is broken. `detail` says where.' },
  ...tokenRefusals,
  { code: 'billing_lapsed', when: 'the workspace is read-only or closed; the message says which.' },
  { code: 'too_large', when: `over ${limits.bodySentBytes} bytes: a BOM of about 3 MB.` },
  { code: 'unsupported_media_type', when: 'the Content-Type is not application/json.' },
  { code: 'xml_unsupported', when: 'the BOM was uploaded to the platform as XML.' },
  {
    code: 'unsupported_format',
    when: 'the BOM is not CycloneDX JSON 1.4-1.7. `detail` names what was found.',
  },
  { code: 'too_many_components', when: `more than ${limits.components} components.` },
  { code: 'bom_omitted', when: 'the notification carries no BOM, as those of version 5.' },
  ...internal,
]

const group = Type.String({ description: 'Group of the notification, without the GROUP_ of version 5.' })
const message = Type.String({ description: 'English text.' })

const Test = Type.Object({ test: Type.Literal(true), group, message }, { title: 'ConnectorTest' })
const Ignored = Type.Object({ ignored: Type.Literal(true), group, message }, { title: 'ConnectorIgnored' })

export const dependencyTrackSchema: FastifySchema = {
  operationId: 'receiveDependencyTrack',
  tags: ['SBOM'],
  summary: 'Receive notifications of Dependency-Track',
  description: `Takes notifications of OWASP Dependency-Track (outbound webhook, default template) and stores the BOM in them for the product family of the token, as an upload to /api/v1/sboms would.

Make one alert for each family, limited to the projects of that family, with a token of that family: without the limit the BOMs of all projects land in the one family. Choose one of the groups BOM_PROCESSED and BOM_CONSUMED; with both, each upload makes two requests of the hourly limit, and the second one is answered as a duplicate. The token goes into the token field of the alert; the header may stay X-Api-Key, or be Authorization with the bare token or with Bearer before it. A token is never taken from the address.

Version 4.11.5 or a later 4.x is recommended. Version 5 leaves the BOM out, earlier ones cannot send a token, and BOMs over about 3 MB do not fit: export those from the API of the platform (GET /api/v1/bom/cyclonedx/project/<uuid>, permission VIEW_PORTFOLIO) and send them to /api/v1/sboms with \`X-Service-Source: sbom_tracker\`, on change or daily, because no two exports are the same bytes.

The product version is the version of the project, else the one in the BOM, else the current version of the family. The source is \`sbom_tracker\`, the repository the name of the project.

Of test notifications the token is checked and nothing is stored. Notifications of other groups are acknowledged and dropped. The platform shows neither answers nor refusals, and repeats nothing: the page of the family lists what was refused.

Checks are made in this order: token, rate limit, size, media type, JSON, the notification, test, group, workspace state, whether it carries a BOM, duplicate, the BOM. Bodies that are not UTF-8 are read as ISO-8859-1.`,
  security: [{ uploadToken: [] }],
  headers: Type.Object({
    'X-Api-Key': Type.Optional(
      Type.String({ description: 'The token, when there is no Authorization header.' }),
    ),
  }),
  body: {
    content: {
      'application/json': {
        schema: Type.Object(
          {},
          { description: 'The notification as the platform sends it.', additionalProperties: true },
        ),
      },
    },
  },
  response: {
    200: {
      ...Type.Union([SbomReceipt, Test]),
      description:
        'The family already had exactly this BOM: the stored record. Or a test notification: the message says that the connection works, and warns when the workspace is read-only.',
    },
    202: {
      ...Type.Union([SbomReceipt, Ignored]),
      description: 'The BOM is stored. Or the notification is of another group, and nothing is.',
    },
    ...refusalResponses(refusals),
  },
}
