import { ServiceError } from '../../../contract/errors.ts'
import type { VexFormat } from '../../../contract/vex/shapes.ts'
import type { VexState } from '../vex-state.ts'
import { csafDocument } from './write-csaf.ts'
import { cyclonedxDocument } from './write-cyclonedx.ts'
import { openvexDocument } from './write-openvex.ts'

const writers = { openvex: openvexDocument, csaf: csafDocument, cyclonedx: cyclonedxDocument }

/**
 * The state as JSON text: OpenVEX 0.2.0, CSAF 2.0 (csaf_vex) or CycloneDX 1.6. Reading it gives the same verdicts,
 * justifications, texts and targets; CSAF has one time for all of them.
 * Refuses a state without entries with `no_statements`: none of the formats can say that there is nothing to say.
 */
export function writeVex(format: VexFormat, state: VexState): string {
  if (state.entries.length === 0) throw new ServiceError('no_statements')
  return JSON.stringify(writers[format](state), null, 2)
}
