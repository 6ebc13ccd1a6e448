import type { DependencyEdge, SbomComponent } from '../document.ts'
import type { ReadPackage } from './spdx-package.ts'

/**
 * Marks the main module of a Go program as an application, which SPDX documents leave out and CycloneDX says: the module that the
 * document describes, or else the one that all other modules hang from. Its version is then known for the stamp of a build.
 */
export function markMainModule(
  packages: readonly ReadPackage[],
  { described, edges }: { described: SbomComponent | null; edges: readonly DependencyEdge[] },
): void {
  const modules = packages
    .map(({ component }) => component)
    .filter(({ purl }) => purl?.startsWith('pkg:golang/') === true)
  const main = modules.find((module) => module === described) ?? rootOf(modules, edges)
  if (main !== undefined) main.type ??= 'application'
}

/** The only module that nothing leads to, when everything else is reached from it. */
function rootOf(
  modules: readonly SbomComponent[],
  edges: readonly DependencyEdge[],
): SbomComponent | undefined {
  const refs = new Set(modules.flatMap(({ ref }) => ref ?? []))
  const between = edges.filter(({ from, to }) => refs.has(from) && refs.has(to))
  const targets = new Set(between.map(({ to }) => to))
  const [root, ...others] = modules.filter(({ ref }) => ref !== null && !targets.has(ref))
  if (root === undefined || root.ref === null || others.length > 0 || modules.length < 2) return undefined
  const next = Map.groupBy(between, ({ from }) => from)
  const reached = new Set([root.ref])
  for (const ref of reached) {
    for (const { to } of next.get(ref) ?? []) reached.add(to)
  }
  return reached.size === refs.size ? root : undefined
}
