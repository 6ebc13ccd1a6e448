import { Type, type Static } from 'typebox'
import { grades } from '../findings/shapes.ts'
import { Coverage, SbomReceipt, severities } from './shapes.ts'
import { nullable } from '../schema.ts'

const count = Type.Integer({ minimum: 0 })

/** How many findings a result lists. */
export const worstFindings = { default: 10, most: 500 } as const

/** One of the findings that are looked at first. */
export const WorstFinding = Type.Object(
  {
    id: Type.String({ description: 'What the vulnerability is called, usually its CVE.' }),
    severity: Type.Enum(severities),
    grade: Type.Enum(grades),
    malware: Type.Boolean({ description: 'The component itself is malicious: remove it.' }),
    exploited: Type.Boolean(),
    component: Type.Object({
      name: Type.String(),
      version: nullable(Type.String()),
      purl: nullable(Type.String()),
    }),
    fixedIn: nullable(Type.String(), {
      description: 'The lowest version that a record names as fixed; null where none does, and for malware.',
    }),
    url: Type.String({ description: 'Page of the finding in the application, for signed-in people.' }),
  },
  { title: 'WorstFinding' },
)
export type WorstFinding = Static<typeof WorstFinding>

/** `GET /api/v1/sboms/{id}` for results tokens: the SBOM shape and one count per finding. */
export const SbomResult = Type.Object(
  {
    ...SbomReceipt.properties,
    matches: Type.Object({
      total: count,
      bySeverity: Type.Object({
        critical: count,
        high: count,
        medium: count,
        low: count,
        none: count,
        unknown: count,
      }),
      byGrade: Type.Object({ exact: count, possible: count }),
      exploited: count,
      malware: Type.Integer({
        minimum: 0,
        description: 'Of `total`: findings that say that the component is malicious. An addition.',
      }),
      notAffected: Type.Integer({
        minimum: 0,
        description:
          'Declared not affected or fixed, by a VEX document or a member; not counted anywhere else.',
      }),
      coverage: Coverage,
    }),
    worst: Type.Optional(
      Type.Array(WorstFinding, {
        maxItems: worstFindings.most,
        description:
          'The findings to look at first: malware, then what is exploited, then by severity and EPSS. Absent while they are not worked out and once another SBOM has taken the place of this one. An addition.',
      }),
    ),
  },
  { title: 'SbomResult' },
)
export type SbomResult = Static<typeof SbomResult>
