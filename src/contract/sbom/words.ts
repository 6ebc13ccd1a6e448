/** What readers of documents need of this subject, without the schemas, whose library they would load for nothing. */

/** Where an SBOM came from (docs/public-api.md, "Request headers"); `application` is an upload by a signed-in person. */
export const uploadSources = ['hosted_ci', 'pipeline_ci', 'sbom_tracker', 'sbom_hub', 'api'] as const
export type UploadSource = (typeof uploadSources)[number]

export const anyUploadSources = [...uploadSources, 'application'] as const
export type AnyUploadSource = (typeof anyUploadSources)[number]

/**
 * Why a document lists a component (CycloneDX 1.7, `scope`; SPDX 2.3, relationships such as `DEV_DEPENDENCY_OF`): `required`: the product needs it, `optional`: it may run without, `excluded`: it
 * is no part of what is delivered, such as a tool for tests. Without any, it is `required`.
 */
export const componentScopes = ['required', 'optional', 'excluded'] as const
export type ComponentScope = (typeof componentScopes)[number]
