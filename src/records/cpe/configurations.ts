import { maxCpeLength, maxRecorded, maxVersionLength, type VulnerableMatch } from './vulnerable-match.ts'
import { fieldOf, listField, textField } from '../../source-files/fields.ts'

/**
 * The vulnerable products of an entry's `configurations`. Of an AND ("running on") the vulnerable parts count on their own and the
 * other parts are recorded with them: SBOMs hardly ever name the platform, so requiring it would hide the vulnerability. A
 * negated part says what must not be there, which no SBOM can answer: it is left out.
 */
export function vulnerableMatches(configurations: readonly unknown[]): VulnerableMatch[] {
  return configurations.flatMap((configuration) => {
    if (fieldOf(configuration, 'negate') === true) return []
    const nodes = listField(configuration, 'nodes').filter((node) => fieldOf(node, 'negate') !== true)
    const named = fieldOf(configuration, 'operator') === 'AND' ? namedIn(nodes) : []
    return nodes.flatMap((node) =>
      readNode(
        node,
        named.filter((other) => other.node !== node).map((other) => other.criteria),
      ),
    )
  })
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

/** As many names as leave each node enough of the others'. */
function namedIn(nodes: readonly unknown[]): Named[] {
  const named: Named[] = []
  for (const node of nodes) {
    for (const criteria of criteriaOf(node, maxRecorded)) named.push({ node, criteria })
    if (named.length >= 2 * maxRecorded) break
  }
  return named
}

function criteriaOf(node: unknown, max: number): string[] {
  const matches = listField(node, 'cpeMatch').slice(0, max)
  return matches.map((match) => textField(match, 'criteria', maxCpeLength)).filter((text) => text !== null)
}
