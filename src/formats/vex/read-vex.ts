import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { VexDocument } from '../../contract/vex/shapes.ts'
import { asRefusal } from '../json/parse.ts'
import { readCsaf } from './csaf/csaf.ts'
import { readCyclonedxVex } from './cyclonedx/cyclonedx.ts'
import { readOpenvex } from './openvex/openvex.ts'
import { VexReading } from './reading.ts'
import { recogniseVex } from './recognise-vex.ts'

const readers = { openvex: readOpenvex, csaf: readCsaf, cyclonedx: readCyclonedxVex }

/**
 * Reads an uploaded VEX document from its JSON value (docs/public-api.md, "POST /api/v1/vex"). It is tolerant: only structure
 * that is read must be right, everything else that a schema objects to is a hint.
 *
 * Codes: `unsupported_vex` (`detail` names what was found), `invalid_vex` (`detail` has the JSON pointer, what was
 * expected and what was found, or the budget that the document breaks), `too_many_statements`, `no_statements`.
 */
export function readVex(value: unknown): VexDocument {
  try {
    const { format, formatLabel, document } = recogniseVex(value)
    const read = readers[format](document, formatLabel, new VexReading(limits.statements, 'refuse'))
    if (read === null) throw new ServiceError('no_statements')
    return read
  } catch (error) {
    throw asRefusal(error, 'vex')
  }
}
