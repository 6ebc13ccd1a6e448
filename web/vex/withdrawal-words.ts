import type { VexDocumentDetail } from '#contract/vex/documents.ts'
import { sourceLabels } from '#contract/sbom/shapes.ts'
import { formatNoun } from '../kit/text/format.ts'
import { scopeWords } from './vex-words.ts'

type Withdrawn = Pick<VexDocumentDetail, 'statements' | 'decides' | 'everyVersion' | 'version'>

/** What stops when a document is withdrawn, for the confirmation dialog. */
export function withdrawalConsequence(document: Withdrawn): string {
  const { statements, decides } = document
  const stops = `Its ${formatNoun(statements, 'statement')} for ${scopeWords(document)} no longer ${statements === 1 ? 'counts' : 'count'}.`
  const effect =
    decides === 0
      ? 'No finding depends on it at present, so no list changes.'
      : `${formatNoun(decides, 'finding loses', 'findings lose')} the verdict it gives, and ${decides === 1 ? 'counts' : 'count'} as open again unless another document or a decision covers ${decides === 1 ? 'it' : 'them'}.`
  return `${stops} ${effect} The file is kept and can be restored.`
}

type Restored = Pick<VexDocumentDetail, 'sbomId' | 'source' | 'everyVersion' | 'version'>

/** What changes when a document is restored. */
export function restorationConsequence(document: Restored): string {
  const effect =
    'Findings that it declares not affected or fixed are no longer open, unless a stronger verdict covers them.'
  if (document.sbomId !== null)
    return `Its statements count again while the SBOM that contains it is active. ${effect}`
  return `Its statements count again, and it replaces the document in force from ${sourceLabels[document.source]} for ${scopeWords(document)}, if there is one. ${effect}`
}
