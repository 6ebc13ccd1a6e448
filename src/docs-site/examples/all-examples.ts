import { dependencyTrackExamples } from './connector-examples.ts'
import {
  addDestinationExamples,
  listDestinationsExamples,
  removeDestinationExamples,
} from './destination-examples.ts'
import type { PublicExample } from './example.ts'
import {
  advisoryChangesExamples,
  advisoryExamples,
  advisoryIndexExamples,
  advisorySha256Examples,
  advisorySha512Examples,
  providerMetadataExamples,
} from './feed-examples.ts'
import { getSbomResultExamples, uploadSbomExamples } from './sbom-examples.ts'
import { uploadVexExamples } from './vex-examples.ts'

/** By operation: every request and answer that the documentation shows (test/docs/examples.test.ts sends each). */
export const publicExamples: Readonly<Record<string, readonly PublicExample[]>> = {
  uploadSbom: uploadSbomExamples,
  getSbomResult: getSbomResultExamples,
  uploadVex: uploadVexExamples,
  receiveDependencyTrack: dependencyTrackExamples,
  listAlertDestinations: listDestinationsExamples,
  addAlertDestination: addDestinationExamples,
  removeAlertDestination: removeDestinationExamples,
  getProviderMetadata: providerMetadataExamples,
  getAdvisoryIndex: advisoryIndexExamples,
  getAdvisoryChanges: advisoryChangesExamples,
  getAdvisory: advisoryExamples,
  getAdvisorySha256: advisorySha256Examples,
  getAdvisorySha512: advisorySha512Examples,
}
