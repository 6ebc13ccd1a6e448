import type { Actor } from '../../audit/record-acts.ts'

/** What a decision is about: a vulnerability on a package, in one version of a family or in all of them. */
export type DecisionSubject = {
  familyId: string
  versionId: string | null
  packageKey: string
  /** The name of the vulnerability now, and every id that earlier decisions may know it by. */
  vulnerabilityId: string
  names: readonly string[]
}

/** Who decides, where and when. */
export type DecisionAct = { workspaceId: string; actor: Actor; now: Date }

/** The person who decides: nobody else may. */
export function memberOf({ kind, id }: Actor): string {
  if (kind !== 'person' || id === null) throw new Error('only members decide')
  return id
}
