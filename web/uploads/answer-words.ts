import { visibleText } from '#contract/hidden-characters.ts'
import type { SbomReceipt } from '#contract/sbom/shapes.ts'
import type { VexReceipt } from '#contract/vex/shapes.ts'
import { formatNoun } from '../kit/text/format.ts'
import { vexFormatNames } from '../vex/vex-words.ts'

/** The service's answer to an SBOM, in words. */
export function sbomAnswer({ duplicate, components, version, status }: SbomReceipt): string {
  const what = `${formatNoun(components, 'component')} of ${version === null ? 'a product without a version' : visibleText(`version ${version}`)}`
  if (duplicate) return `This file had already been uploaded, and nothing has changed: ${what}.`
  return status === 'matched' ? `${what}, matched.` : `Stored: ${what}. Matching is running.`
}

/** The service's answer to a VEX document, in words. */
export function vexAnswer(receipt: VexReceipt): string {
  const { duplicate, format, statements, findings, unbound, version, replaced } = receipt
  const scope = version === null ? 'every version' : visibleText(`version ${version}`)
  const what = `${vexFormatNames[format]} with ${formatNoun(statements, 'statement')} for ${scope}`
  if (duplicate) return `This file had already been uploaded, and nothing has changed: ${what}.`
  const parts = [`Stored: ${what}.`]
  if (unbound > 0)
    parts.push(`${formatNoun(unbound, 'statement names', 'statements name')} nothing that was found.`)
  if (findings > 0) parts.push(`It also reports ${formatNoun(findings, 'finding')} without a verdict.`)
  if (replaced > 0) parts.push(`It replaces ${formatNoun(replaced, 'earlier document')}.`)
  return parts.join(' ')
}
