import { registerHooks } from 'node:module'

/** Packages of hundreds of files, all of them ES modules that name each other by file. */
const named = ['/node_modules/kysely/dist/', '/node_modules/typebox/build/']

/**
 * Files of ours name each other with their endings, and so do those of the two packages with the most files. Node looks for each all the same:
 * whether it is there, where a link leads, what kind of package it is in. Without that, reading the program takes a fifth less of the processor.
 */
export function findFilesByName(ours: string): void {
  const places = [ours, ...named]
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context
      const format = specifier.startsWith('.') ? formatOf(specifier) : undefined
      if (format === undefined || !places.some((place) => parentURL?.includes(place)))
        return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
    },
  })
}

function formatOf(path: string): string | undefined {
  if (path.endsWith('.ts')) return 'module-typescript'
  return path.endsWith('.js') || path.endsWith('.mjs') ? 'module' : undefined
}
