import { verdicts, type Justification, type Verdict } from '../contract/vex/shapes.ts'
import { writtenCpe } from '../formats/cpe.ts'
import { withVersion } from '../formats/purl/purl-version.ts'
import { writtenPurl } from '../formats/purl/written-purl.ts'
import type { VexStateEntry } from '../formats/vex/vex-state.ts'
import { readableNames, type StatedComponent } from './binding/bind-target.ts'

/** What is in force on one finding, with one of the components it is about. */
export type JudgedPart = Omit<StatedComponent, 'concluded_cpes'> & {
  groupId: number
  judgement: Judgement | null
}

export type Judgement = {
  verdict: Verdict
  justification: Justification | null
  impact: string | null
  action: string | null
  at: Date
}

/** Names of the vulnerability of a group, CVEs first. */
export type GroupNames = ReadonlyMap<number, readonly string[]>

/**
 * The entries that state what is in force on every component. A component with different verdicts in several versions, or in only some of
 * them, has the most cautious of them, where no verdict is more cautious than any but affected: a document for all versions must not
 * clear one that has not been cleared. The same applies where several groups share a name for their vulnerability: a statement under a
 * shared name must be true for each. Components without identifiers are left out.
 */
export function stateEntries(parts: readonly JudgedPart[], names: GroupNames): VexStateEntry[] {
  const subjects = Map.groupBy(
    parts.flatMap((part) => named(part)),
    ({ groupId, identifier }) => `${groupId} ${identifier}`,
  )
  const entries = new Map<string, VexStateEntry>()
  const namesakes = namesakesOf(names)
  for (const subject of subjects.values()) {
    const [first] = subject
    const shared = [...(first === undefined ? [] : (namesakes.get(first.groupId) ?? []))].flatMap(
      (groupId) => subjects.get(`${groupId} ${first?.identifier}`) ?? [],
    )
    const judgement = mostCautious([...subject, ...shared].map((part) => part.judgement))
    if (first === undefined || judgement === null) continue
    const key = JSON.stringify([first.groupId, judgement])
    const entry = entries.get(key) ?? entryOf(judgement, names.get(first.groupId) ?? [])
    entry.targets.push({ kind: 'component', ...first.target })
    entries.set(key, entry)
  }
  return [...entries.values()].filter(({ vulnerabilityIds }) => vulnerabilityIds.length > 0)
}

type NamedPart = JudgedPart & { identifier: string; target: { purl: string } | { cpe: string } }

/** The other groups that share a name with each. */
function namesakesOf(names: GroupNames): Map<number, Set<number>> {
  const byName = new Map<string, number[]>()
  for (const [groupId, list] of names) {
    for (const name of list) byName.set(name, [...(byName.get(name) ?? []), groupId])
  }
  const namesakes = new Map<number, Set<number>>()
  for (const groups of byName.values()) {
    for (const groupId of groups) {
      const others = groups.filter((other) => other !== groupId)
      if (others.length > 0) namesakes.set(groupId, new Set([...(namesakes.get(groupId) ?? []), ...others]))
    }
  }
  return namesakes
}

/**
 * By all its purls, else by all its CPEs: a reader may know it by any of them, and our own binds it by these. CPEs that tools concluded are left
 * out: they may be another product, which the document must not clear.
 */
function named(part: JudgedPart): NamedPart[] {
  const { purls, cpes } = readableNames(part)
  if (purls.length === 0)
    return [...new Set(cpes.map(writtenCpe))].map((cpe) => ({ ...part, identifier: cpe, target: { cpe } }))
  const versioned = new Set(purls.map((purl) => writtenPurl(withVersion(purl, part.version))))
  return [...versioned].map((purl) => ({ ...part, identifier: purl, target: { purl } }))
}

function mostCautious(judgements: readonly (Judgement | null)[]): Judgement | null {
  const rank = (judgement: Judgement | null) =>
    judgement === null ? 0.5 : verdicts.indexOf(judgement.verdict)
  const timeOf = (judgement: Judgement | null) => judgement?.at.getTime() ?? 0
  const [first] = judgements.toSorted((a, b) => rank(a) - rank(b) || timeOf(b) - timeOf(a))
  return first ?? null
}

function entryOf(
  { verdict, justification, impact, action, at }: Judgement,
  names: readonly string[],
): VexStateEntry {
  return {
    vulnerabilityIds: [...names],
    verdict,
    ...(justification === null || verdict !== 'not_affected' ? {} : { justification }),
    ...(impact === null ? {} : { impact }),
    ...(action === null ? {} : { action }),
    time: at.toISOString(),
    targets: [],
  }
}
