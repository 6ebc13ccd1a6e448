import type { VexDocument, VexStatement, VexTarget } from '../../contract/vex/shapes.ts'

/** A statement or reported finding with its number in the document: statements first, from 1 on. */
export type StatementRow = VexStatement & { number: number }
/** Under which id a statement is found. */
export type ClaimRow = { number: number; vulnerabilityId: string }
export type TargetRow = VexTarget & { number: number; place: number }

export type DocumentRows = {
  statements: StatementRow[]
  claims: ClaimRow[]
  targets: TargetRow[]
  /** What could not be kept, as a sentence for the document's page. */
  hints: string[]
}

/** Beside the first id of each statement; a document of real shape stays far below. */
const maxFurtherClaims = 200_000

/** The rows that a document becomes in the database. */
export function documentRows({
  statements,
  findings,
}: Pick<VexDocument, 'statements' | 'findings'>): DocumentRows {
  const rows: DocumentRows = { statements: [], claims: [], targets: [], hints: [] }
  for (const [place, statement] of [...statements, ...findings].entries()) {
    const number = place + 1
    rows.statements.push({ ...statement, number })
    const room = number + maxFurtherClaims - rows.claims.length
    for (const vulnerabilityId of [...claimedIds(statement.vulnerabilityIds)].slice(0, room)) {
      rows.claims.push({ number, vulnerabilityId })
    }
    for (const [index, target] of statement.targets.entries()) {
      rows.targets.push({ ...target, number, place: index + 1 })
    }
  }
  if (rows.claims.length === rows.statements.length + maxFurtherClaims) {
    rows.hints.push('The document names too many aliases: of some vulnerabilities only the first id is kept.')
  }
  return rows
}

const ghsa = /^ghsa(?:-[0-9a-z]{4}){3}$/i
const euvd = /^euvd-\d{4}-\d+$/i

function spelled(id: string): string {
  if (ghsa.test(id)) return `GHSA${id.slice(4).toLowerCase()}`
  return euvd.test(id) ? id.toUpperCase() : id
}

/** The ids as vulnerability data spells them; readers write CVE ids in upper case already. */
function claimedIds(ids: readonly string[]): Set<string> {
  return new Set(ids.map(spelled))
}
