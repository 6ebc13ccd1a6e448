import { internal, tokenRefusals } from '../public-refusals.ts'
import type { OperationWords } from '../public-route.ts'
import type { operation } from './operation.ts'

export const words: OperationWords<typeof operation> = {
  tags: ['SBOM'],
  summary: 'Read the result of an SBOM',
  description: `What matching has found in an SBOM of the token's family. It needs a results token, which can read and nothing else and has an hourly limit of its own; an upload token is refused.

One count per finding: a vulnerability on a component of the product version. \`coverage\` says how many components could be decided at all, and of the others why they could not. It counts each component once, while \`components\` counts every entry of the SBOM. States may be added: one that you do not know says why components were not decided.

\`data\` says how old the data are that the counts rest on. A component whose source has failed since it was loaded stays covered, by what was loaded last: \`data.stale\` counts such components, \`data.sources\` names the sources, the lists of exploited vulnerabilities among them. A gate that must not pass on old data compares \`lastSuccessAt\` of each with the \`Date\` of the answer.

\`malware\`, \`data\` and \`worst\` are additions to the interface.`,
  answers: { 200: 'The SBOM and its counts.' },
  refusals: [
    { code: 'invalid_request', when: '`wait` or `worst` is not a whole number; `fields` says so.' },
    ...tokenRefusals,
    { code: 'not_found', when: 'the family of the token has no SBOM with this id.' },
    ...internal,
  ],
}
