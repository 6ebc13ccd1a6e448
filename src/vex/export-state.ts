import { verdicts, type Justification, type Verdict } from '../contract/vex.ts'
import { parseCpe } from '../formats/cpe/cpe.ts'
import { parsePurl } from '../formats/purl/purl.ts'
import type { VexStateEntry } from '../formats/vex/vex-state.ts'

/** What is in force on one finding, with one of the components it is about. */
export type JudgedPart = {
  groupId: number
  purl: string | null
  cpe: string | null
  judgement: Judgement | null
}

export type Judgement = {
  verdict: Verdict
  justification: Justification | null
  impact: string | null
  action: string | null
  at: Date
}

/** Names of the vulnerability of a group, the first being its title. */
export type GroupNames = ReadonlyMap<number, readonly string[]>

/**
 * The entries that say of every component what is in force on it. A component that is judged differently in several versions, or in
 * some of them only, has the most cautious verdict of them, none being more cautious than any but affected: a document for all
 * versions must not clear one that nobody has cleared. Components that nothing names are left out.
 */
export function stateEntries(parts: readonly JudgedPart[], names: GroupNames): VexStateEntry[] {
  const subjects = Map.groupBy(
    parts.flatMap((part) => named(part)),
    ({ groupId, identifier }) => `${groupId} ${identifier}`,
  )
  const entries = new Map<string, VexStateEntry>()
  for (const subject of subjects.values()) {
    const [first] = subject
    const judgement = mostCautious(subject.map((part) => part.judgement))
    if (first === undefined || judgement === null) continue
    const key = JSON.stringify([first.groupId, judgement])
    const entry = entries.get(key) ?? entryOf(judgement, names.get(first.groupId) ?? [])
    entry.targets.push({ kind: 'component', ...first.target })
    entries.set(key, entry)
  }
  return [...entries.values()].filter(({ vulnerabilityIds }) => vulnerabilityIds.length > 0)
}

type NamedPart = JudgedPart & { identifier: string; target: { purl: string } | { cpe: string } }

/** By its purl, else by its CPE: what our own reader would bind it by. */
function named(part: JudgedPart): NamedPart[] {
  const { purl, cpe } = part
  if (purl !== null && parsePurl(purl) !== undefined) return [{ ...part, identifier: purl, target: { purl } }]
  if (cpe !== null && parseCpe(cpe) !== undefined) return [{ ...part, identifier: cpe, target: { cpe } }]
  return []
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
