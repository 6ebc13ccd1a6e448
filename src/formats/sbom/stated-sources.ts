import { parsePurl } from '../purl/purl.ts'
import type { SbomComponent } from './document.ts'
import { sourcePackage } from './source-package.ts'

/** That a component was built from another one, each as the document refers to it. */
export type BuiltFrom = { binary: string; source: string }

const isPackage = /^pkg:(?:deb|rpm|apk)\//
const isSource = /^pkg:(?:deb|rpm)\/.*[?&]arch=(?:source|src|nosrc)(?:[&#]|$)/

/**
 * Gives packages of distributions that state no source the one that the document lists as a component of its own. It must say of one source
 * alone that they were built from it: of several, all but one were only used in the build (Debian Policy 7.8, "Built-Using").
 */
export function markSources(
  listed: readonly SbomComponent[],
  {
    byReference,
    stated,
  }: { byReference: () => ReadonlyMap<string, SbomComponent>; stated: Iterable<BuiltFrom> },
): void {
  // Hardly any document lists one, and a large one has many references.
  if (!listed.some(isListedSource)) return
  const components = byReference()
  const sources = new Map([...components].filter(([, component]) => isListedSource(component)))
  const found = new Map<SbomComponent, Set<SbomComponent>>()
  for (const { binary, source } of stated) {
    const [built, from] = [components.get(binary), sources.get(source)]
    if (built === undefined || from === undefined || !lacksSource(built)) continue
    found.set(built, (found.get(built) ?? new Set()).add(from))
  }
  for (const [built, [only, ...others]] of found)
    if (only !== undefined && others.length === 0) built.source = sourceOf(only)
}

function isListedSource({ purl }: SbomComponent): boolean {
  return isSource.test(purl ?? '')
}

function lacksSource({ purl, source }: SbomComponent): boolean {
  const text = purl ?? ''
  return source === null && isPackage.test(text) && !text.includes('upstream=') && !isSource.test(text)
}

function sourceOf({ purl, name, version }: SbomComponent): SbomComponent['source'] {
  const read = parsePurl(purl ?? '')
  const source = sourcePackage(read?.name ?? name, read?.version ?? version ?? undefined)
  return { ...source, epoch: read?.qualifiers.get('epoch') ?? source.epoch }
}
