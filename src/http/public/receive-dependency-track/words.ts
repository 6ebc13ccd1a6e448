import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { internal, tokenRefusals, type Refusals } from '../public-refusals.ts'
import type { OperationWords } from '../public-route.ts'
import type { operation } from './operation.ts'

const refusals: Refusals = [
  { code: 'invalid_json', when: 'the body, or the BOM in it, is not JSON.' },
  {
    code: 'invalid_notification',
    when: 'the body is not a BOM notification of the platform; `detail` says what is missing or wrong.',
  },
  { code: 'invalid_sbom', when: 'the structure of the BOM is broken. `detail` says where.' },
  ...tokenRefusals,
  {
    code: 'billing_lapsed',
    when: 'the workspace is read-only, suspended, closed or full; the message says which.',
  },
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

export const words: OperationWords<typeof operation> = {
  tags: ['SBOM'],
  summary: 'Receive notifications of Dependency-Track',
  description: `Takes notifications of OWASP Dependency-Track (outbound webhook, default template) and stores the BOM in them for the product family of the token, as an upload to /api/v1/sboms would.

Make one alert for each family, limited to the projects of that family, with a token of that family: without the limit the BOMs of all projects land in the one family. Choose one of the groups BOM_PROCESSED and BOM_CONSUMED; with both, each upload makes two requests of the hourly limit, and the second is answered as a duplicate. The token goes into the token field of the alert; the header may stay X-Api-Key, or be Authorization with the bare token or with Bearer before it. A token is never read from the address.

Version 4.11.5 or a later 4.x is recommended. Version 5 leaves the BOM out, earlier ones cannot send a token, and BOMs over about 3 MB do not fit: have \`sbom-monitor pull-dependency-track\` copy those that changed, or export them from the API of the platform (GET /api/v1/bom/cyclonedx/project/<uuid>, permission VIEW_PORTFOLIO) and send them to /api/v1/sboms with \`X-Service-Source: sbom_tracker\`, on change or daily, because no two exports are the same bytes.

The product version is the version of the project, else the one in the BOM, else the current version of the family. The source is \`sbom_tracker\`, the repository the name of the project.

For test notifications the token is checked and nothing is stored. Notifications of other groups are acknowledged and dropped. The platform shows neither answers nor refusals, and repeats nothing: the page of the family lists what was refused.

Checks are made in this order: token, rate limit, size, media type, JSON, the notification, test, group, workspace state, whether it carries a BOM, duplicate, the BOM. Bodies that are not UTF-8 are read as ISO-8859-1.`,
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
  answers: {
    200: 'The family already had exactly this BOM: the stored record. Or a test notification: the message says that the connection works, and warns when the workspace is read-only.',
    202: 'The BOM is stored. Or the notification is of another group, and nothing is.',
  },
  refusals,
  alsoBy: 'connectorKey',
}
