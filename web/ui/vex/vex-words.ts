import { visibleText } from '../../../src/contract/hidden-characters.ts'
import type { VexBinding } from '../../../src/contract/vex-documents.ts'
import type { UnboundReason, VexFormat } from '../../../src/contract/vex.ts'

export const vexFormatNames: Record<VexFormat, string> = {
  openvex: 'OpenVEX',
  csaf: 'CSAF VEX',
  cyclonedx: 'CycloneDX VEX',
}

type Scope = { everyVersion: boolean; version: string | null }

/** Which product versions a document or decision holds for, at the start of a line. */
export function scopeWords({ everyVersion, version }: Scope): string {
  if (everyVersion) return 'every version'
  return version === null ? 'SBOMs without a version' : visibleText(`version ${version}`)
}

/** `Every version`, for a line that begins with it. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Why a statement has no effect, and what cures it. */
export const unboundWords: Record<UnboundReason, { why: string; cure: string }> = {
  no_identifier: {
    why: 'The product it names has neither a purl nor a CPE.',
    cure: 'Give the component a purl in the tool that writes the document, then send it again.',
  },
  unknown_reference: {
    why: 'It refers to something that neither the document nor a stored SBOM of this family defines.',
    cure: 'Send the document together with its components, or send the SBOM it refers to.',
  },
  unreadable_identifier: {
    why: 'Identifier unreadable: the purl or CPE that it names is not written as one.',
    cure: 'Correct the purl in the tool that writes the document, then send it again.',
  },
  no_product: {
    why: 'It names no product at all.',
    cure: 'Add the affected products to the statement, then send the document again.',
  },
}

export const bindingWords: Record<VexBinding, { word: string; meaning: string }> = {
  bound: { word: 'bound', meaning: 'It speaks of a component of an active SBOM, or of the whole product.' },
  waiting: {
    word: 'waiting',
    meaning: 'No active SBOM has a component that it names. It counts as soon as one does.',
  },
  another_product: {
    word: 'another product',
    meaning:
      'It speaks of another product: what it names is in another product or version than those of this family that it could hold for.',
  },
  unbound: { word: 'not bound', meaning: 'It names nothing that could be found, so it has no effect.' },
}
