import type { PublicExample } from '../../docs-site/examples/example.ts'
import { feedExamples } from '../../docs-site/examples/feed-examples.ts'
import { addAlertDestination } from './add-alert-destination/handler.ts'
import { getSbomResult } from './get-sbom-result/handler.ts'
import { listAlertDestinations } from './list-alert-destinations/handler.ts'
import type { PublicRoute } from './public-route.ts'
import { receiveDependencyTrack } from './receive-dependency-track/handler.ts'
import { removeAlertDestination } from './remove-alert-destination/handler.ts'
import { uploadSbom } from './upload-sbom/handler.ts'
import { uploadVex } from './upload-vex/handler.ts'

/** Every operation of the public interface, in the order in which the documentation has them. */
export const publicRoutes: readonly PublicRoute[] = [
  uploadSbom,
  getSbomResult,
  uploadVex,
  receiveDependencyTrack,
  listAlertDestinations,
  addAlertDestination,
  removeAlertDestination,
]

/** By operation: every request and answer that the documentation shows (test/docs/examples.test.ts sends each). */
export const publicExamples: Readonly<Record<string, readonly PublicExample[]>> = {
  ...Object.fromEntries(publicRoutes.map(({ name, examples }) => [name, examples])),
  ...feedExamples,
}
