import { Type, type Static } from 'typebox'
import { grades } from '../findings/shapes.ts'
import { Coverage, SbomReceipt, severities } from './shapes.ts'
import { nullable, time } from '../schema.ts'

const count = Type.Integer({ minimum: 0 })

/** How many findings a result lists. */
export const worstFindings = { default: 10, max: 500 } as const

/** One of the findings to look at first. */
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

/**
 * How far a source can be relied on. `old`: nothing has been fetched for a day; `failing`: the last attempt failed, and what was loaded before is in
 * use; `never`: nothing has been loaded.
 */
export const dataStates = ['current', 'old', 'failing', 'never'] as const
export type DataState = (typeof dataStates)[number]

/** A source behind a result. */
export const SourceBehind = Type.Object(
  {
    name: Type.String({ description: 'Of the source, such as `osv:npm`.' }),
    label: Type.String({ description: 'Words for people: `OSV: npm`.' }),
    brings: Type.Enum(['records', 'exploited'], {
      description:
        '`records`: findings come from it; `exploited`: it lists which vulnerabilities are known to be exploited.',
    }),
    state: Type.Enum(dataStates),
    components: nullable(count, {
      description:
        'How many components that count as covered are compared with it, some with other sources too; null for lists of exploited vulnerabilities.',
    }),
    lastSuccessAt: nullable(time, {
      description: 'When it was last fetched, or found to have nothing newer; null where it never was.',
    }),
    failingSince: nullable(time),
  },
  { title: 'SourceBehind' },
)
export type SourceBehind = Static<typeof SourceBehind>

/** How old the data are that a result rests on. */
export const DataBehind = Type.Object(
  {
    stale: Type.Integer({
      minimum: 0,
      description:
        'Of `coverage.covered`: components that a source decides about which is not `current`. What it has published of them since is missing.',
    }),
    sources: Type.Array(SourceBehind),
  },
  {
    title: 'DataBehind',
    description:
      'The sources behind the counts, and how old what was loaded of them is. A component stays covered when its source fails: it was compared with the last data. An addition.',
  },
)
export type DataBehind = Static<typeof DataBehind>

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
    data: DataBehind,
    worst: Type.Optional(
      Type.Array(WorstFinding, {
        maxItems: worstFindings.max,
        description:
          'The findings to look at first: malware, then what is exploited, then by severity and EPSS. Absent while they are not worked out and once another SBOM has taken the place of this one. An addition.',
      }),
    ),
  },
  { title: 'SbomResult' },
)
export type SbomResult = Static<typeof SbomResult>
