import { sql } from 'kysely'
import type { Verdict } from '../../contract/vex/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { namesInSboms } from '../../findings/verdicts/binding-product.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import {
  bindsTo,
  keysOfComponent,
  keysOfTarget,
  readComponent,
  type BindingComponent,
  type BindingTarget,
  type StatedComponent,
} from '../../vex/binding/bind-target.ts'
import { isInScope, type DocumentScope } from './stored-statement.ts'

/** A target with the versions in which it speaks of another product: there it means nothing. */
export type ReadTarget = BindingTarget & { notIn: ReadonlySet<string | null> }

type Candidate = StatedComponent & {
  number: number
  /** Whose active SBOM has it. */
  version_ids: (string | null)[]
  name: string
}

/** The limit while somebody waits for the page; a hostile document shows less than it binds to. */
const maxComparisons = 500_000

/** Components that targets may mean, by the keys under which both are looked up. */
export class ComponentsByKey {
  #comparisons = 0
  readonly #byKey = new Map<string, { candidate: Candidate; read: BindingComponent }[]>()

  constructor(candidates: readonly Candidate[]) {
    for (const candidate of candidates) {
      const entry = { candidate, read: readComponent(candidate) }
      for (const key of keysOfComponent(entry.read))
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), entry])
    }
  }

  namedBy(target: ReadTarget, verdict: Verdict | null): Candidate[] {
    return keysOfTarget(target)
      .flatMap((key) => this.#byKey.get(key) ?? [])
      .filter(({ candidate, read }) => {
        this.#comparisons += 1
        if (candidate.version_ids.every((id) => target.notIn.has(id))) return false
        return this.#comparisons <= maxComparisons && bindsTo(target, read, verdict)
      })
      .map(({ candidate }) => candidate)
  }
}

/**
 * Components of the active SBOMs whose name is one that the targets' packages go by in SBOMs. A tool that calls a component otherwise
 * is found through its findings only. Primary key of component_name.
 */
export async function selectCandidates(
  db: Db,
  scope: DocumentScope,
  targets: readonly ReadTarget[],
): Promise<Candidate[]> {
  const names = new Set(targets.flatMap(namesInSboms))
  if (names.size === 0) return []
  const { rows } = await sql<Candidate>`
    select c.number, c.name, c.version, c.purl, c.cpe, c.other_names, c.concluded_cpes, a.version_ids
    from component_name m
    join component c on c.family_id = m.family_id and c.number = m.number
    cross join lateral (
      select array_agg(s.version_id) as version_ids
      from sbom s
      join sbom_inventory v on v.sbom_id = s.id
      where s.workspace_id = ${scope.workspaceId} and s.family_id = ${scope.familyId} and s.active
        and ${isInScope('s.version_id', scope)} and v.numbers @> c.number
    ) a
    where m.workspace_id = ${scope.workspaceId} and m.family_id = ${scope.familyId}
      and m.name = any(${columnOf([...names], 'text', (name) => name)})
      and a.version_ids is not null
    order by c.number
    limit 5000`.execute(db)
  return rows
}
