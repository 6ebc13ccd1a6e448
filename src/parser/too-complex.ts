import { ServiceError, type ErrorCode } from '../contract/errors.ts'
import type { TaskKind } from './tasks.ts'

/** Apart from the tasks themselves: the process that answers does without the program that reads files. */
const codes: Record<TaskKind, ErrorCode> = {
  store_sbom: 'invalid_sbom',
  store_notification: 'invalid_sbom',
  store_vex: 'invalid_vex',
  find_references: 'invalid_sbom',
  read_dependencies: 'invalid_sbom',
  identify_again: 'invalid_sbom',
  read_vex_again: 'invalid_vex',
}

/** The refusal of a file that the child's memory cannot hold. */
export function tooComplex(kind: TaskKind): ServiceError {
  return new ServiceError(codes[kind], { detail: 'the document is too complex to read' })
}
