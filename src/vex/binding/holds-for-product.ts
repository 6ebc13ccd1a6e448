import type { Verdict } from '../../contract/vex/shapes.ts'
import type { BindingProduct } from './bind-carrier.ts'
import { bindsTo, type BindingTarget } from './bind-target.ts'
import { holdsForVersion } from './bind-versions.ts'

/** `product`: the document's own main component, which the product is whatever it is called. */
export type Spoken = { kind: 'component' | 'product'; verdict: Verdict | null }

/**
 * Whether a target that speaks of no other product speaks of this one as a whole: it names the main component of its SBOM, or it is
 * what the document is about, narrowed to the versions it lists.
 */
export function holdsForProduct(
  target: BindingTarget,
  { kind, verdict }: Spoken,
  { main, version }: BindingProduct,
): boolean {
  if (kind === 'component') return main !== null && bindsTo(target, main, verdict)
  if (target.versions === null) return true
  const purlType = target.purl?.type ?? null
  return version !== null && holdsForVersion(target.versions, verdict, { version, release: null, purlType })
}
