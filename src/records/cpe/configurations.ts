import { maxCpeLength, maxRecorded, maxVersionLength, type VulnerableMatch } from './vulnerable-match.ts'
import { fieldOf, listField, textField } from '../../source-files/fields.ts'

/** No real record is nested deeper. */
const maxDepth = 8

/**
 * The vulnerable products of an entry's `configurations`. Of an AND ("running on") the vulnerable parts count on their own and the
 * other parts are recorded with them: SBOMs hardly ever name the platform, so requiring it would hide the vulnerability. A negated part says what must
 * be absent, which no SBOM can tell: it is left out. Nodes may hold further ones, as NVD once wrote them (`children`).
 */
export function vulnerableMatches(configurations: readonly unknown[]): VulnerableMatch[] {
  return configurations.flatMap((configuration) => matchesOf(configuration, [], maxDepth))
}

function matchesOf(configuration: unknown, around: readonly string[], depth: number): VulnerableMatch[] {
  if (fieldOf(configuration, 'negate') === true || depth === 0) return []
  const nodes = nodesOf(configuration).filter((node) => fieldOf(node, 'negate') !== true)
  const named = fieldOf(configuration, 'operator') === 'AND' ? namedIn(nodes) : []
  return nodes.flatMap((node) => {
    const others = [...named.filter((other) => other.node !== node).map((other) => other.criteria), ...around]
    return [
      ...readNode(node, others),
      ...(nodesOf(node).length === 0 ? [] : matchesOf(node, others, depth - 1)),
    ]
  })
}

function nodesOf(configuration: unknown): readonly unknown[] {
  return [...listField(configuration, 'nodes'), ...listField(configuration, 'children')]
}

function readNode(node: unknown, others: readonly string[]): VulnerableMatch[] {
  const beside = fieldOf(node, 'operator') === 'AND' ? criteriaOf(node, maxRecorded + 1) : []
  return listField(node, 'cpeMatch').flatMap((match) => {
    const criteria = textField(match, 'criteria', maxCpeLength)
    if (criteria === null || fieldOf(match, 'vulnerable') !== true) return []
    const runningOn = [...beside.filter((other) => other !== criteria), ...others].slice(0, maxRecorded)
    return [readMatch(match, criteria, runningOn)]
  })
}

function readMatch(match: unknown, criteria: string, runningOn: readonly string[]): VulnerableMatch {
  const bound = (key: string) => textField(match, key, maxVersionLength)
  return {
    criteria,
    startIncluding: bound('versionStartIncluding'),
    startExcluding: bound('versionStartExcluding'),
    endIncluding: bound('versionEndIncluding'),
    endExcluding: bound('versionEndExcluding'),
    runningOn,
  }
}

type Named = { node: unknown; criteria: string }

/** A limit that leaves each node enough of the others' names. */
function namedIn(nodes: readonly unknown[]): Named[] {
  const named: Named[] = []
  for (const node of nodes) {
    for (const criteria of criteriaOf(node, maxRecorded)) named.push({ node, criteria })
    if (named.length >= 2 * maxRecorded) break
  }
  return named
}

/** Of the node and of those in it. */
function criteriaOf(node: unknown, max: number, depth = maxDepth): string[] {
  const matches = listField(node, 'cpeMatch').slice(0, max)
  const own = matches
    .map((match) => textField(match, 'criteria', maxCpeLength))
    .filter((text) => text !== null)
  if (own.length >= max || depth === 0) return own
  return [
    ...own,
    ...nodesOf(node)
      .slice(0, max)
      .flatMap((inner) => criteriaOf(inner, max, depth - 1)),
  ].slice(0, max)
}
