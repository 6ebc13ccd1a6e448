import { Type, type Static } from 'typebox'
import { nullable, extended } from '../schema.ts'
import type { AnyUploadSource } from './words.ts'

export const sbomFormats = ['cyclonedx', 'spdx'] as const
export type SbomFormat = (typeof sbomFormats)[number]

/** The words shown for sources (docs/decisions/0009, "Labels"). */
export const sourceLabels: Record<AnyUploadSource, string> = {
  hosted_ci: 'Hosted CI',
  pipeline_ci: 'Pipeline CI',
  sbom_tracker: 'SBOM tracker',
  sbom_hub: 'SBOM hub',
  api: 'API',
  application: 'Application',
}

/** `received` exists only inside the storing transaction; `failed` after the retries of matching. */
export const sbomStatuses = ['received', 'parsed', 'matched', 'failed'] as const
export type SbomStatus = (typeof sbomStatuses)[number]

/** The SBOM shape of the public interface, answered by upload (202 new, 200 duplicate). */
export const SbomReceipt = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: Type.Enum(sbomStatuses),
    components: Type.Integer({ minimum: 0, description: 'Number of components read.' }),
    version: nullable(Type.String(), { description: 'Stored product version.' }),
    url: Type.String({ description: 'Page of the SBOM in the application, for signed-in people.' }),
    duplicate: Type.Boolean({ description: 'True when the family already had exactly this file.' }),
  },
  { title: 'SbomReceipt' },
)
export type SbomReceipt = Static<typeof SbomReceipt>

export { severities, type Severity } from '../severities.ts'
export {
  anyUploadSources,
  componentScopes,
  uploadSources,
  type AnyUploadSource,
  type ComponentScope,
  type UploadSource,
} from './words.ts'

/** Why components could or could not be decided; never "clean" by omission. */
export const Coverage = Type.Object(
  {
    covered: Type.Integer(),
    notCovered: Type.Integer(),
    noVersion: Type.Integer(),
    uncomparable: Type.Integer(),
    releaseUnknown: Type.Integer(),
    dataNotLoaded: Type.Integer(),
    noSource: Type.Integer({
      description:
        'The source of vulnerability data has none for their ecosystem, or none for their release of it.',
    }),
    sourceUnknown: Type.Integer({
      description:
        'Vulnerability data name source packages, and nothing says which one these packages of a distribution were built from.',
    }),
  },
  { title: 'Coverage' },
)
export type Coverage = Static<typeof Coverage>

/** As the pages show it; the results of an SBOM count `partlyLoaded` as `dataNotLoaded`. */
export const ShownCoverage = extended(Coverage, {
  /** Only part of their source's data is loaded, so finding nothing proves nothing. */
  partlyLoaded: Type.Number(),
})
export type ShownCoverage = Static<typeof ShownCoverage>

/** The number of components, whatever is known about them. */
export function coverageTotal(coverage: ShownCoverage): number {
  return Object.values(coverage).reduce((sum, part) => sum + part, 0)
}
