import { visibleText } from '#contract/hidden-characters.ts'
import type { VexBinding } from '#contract/vex/documents.ts'
import type { UnboundReason, VexFormat } from '#contract/vex/shapes.ts'

export const vexFormatNames: Record<VexFormat, string> = {
  openvex: 'OpenVEX',
  csaf: 'CSAF VEX',
  cyclonedx: 'CycloneDX VEX',
}

type Scope = { everyVersion: boolean; version: string | null }

/** The product versions a document or decision applies to, for the start of a line. */
export function scopeWords({ everyVersion, version }: Scope): string {
  if (everyVersion) return 'every version'
  return version === null ? 'SBOMs without a version' : visibleText(`version ${version}`)
}

/** `Every version`, for the start of a line. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Why a statement has no effect, and the fix. */
export const unboundWords: Record<UnboundReason, { why: string; cure: string }> = {
  no_identifier: {
    why: 'The product it names has no purl and no CPE.',
    cure: 'Add a purl for the component in the tool that writes the document, then send it again.',
  },
  unknown_reference: {
    why: 'It refers to something that neither the document nor a stored SBOM of this family defines.',
    cure: 'Send the document together with its components, or send the SBOM it refers to.',
  },
  unreadable_identifier: {
    why: 'Its purl or CPE is not valid.',
    cure: 'Correct the identifier in the tool that writes the document, then send it again.',
  },
  no_product: {
    why: 'It names no product at all.',
    cure: 'Add the affected products to the statement, then send the document again.',
  },
}

export const bindingWords: Record<VexBinding, { word: string; meaning: string }> = {
  bound: { word: 'bound', meaning: 'It applies to a component of an active SBOM, or to the whole product.' },
  waiting: {
    word: 'waiting',
    meaning: 'No active SBOM contains a component that it names. It takes effect as soon as one does.',
  },
  another_product: {
    word: 'another product',
    meaning: 'It is about another product or version than those of this family that it could apply to.',
  },
  unbound: { word: 'not bound', meaning: 'Nothing that it names was found, so it has no effect.' },
}
