import type { KeySource } from '../views/operation/key-state.ts'

/** What the pages for operators say of the process that shows them. */
export type OperatorSettings = {
  version: string
  keysFrom: KeySource
}

/** Below it lie the pages for operators. */
export const operatorRoot = '/operator'

export function isOperatorPath(path: string): boolean {
  return path === operatorRoot || path.startsWith(`${operatorRoot}/`)
}
