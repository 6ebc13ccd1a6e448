import { join } from 'node:path'
import type ts from 'typescript'

export const root = join(import.meta.dirname, '../..')

/** Attributes that a person sees or hears. */
export const shownAttributes: ReadonlySet<string> = new Set([
  'title',
  'label',
  'aria-label',
  'alt',
  'placeholder',
  'description',
  'consequence',
  'verb',
  'why',
  'about',
  'unset',
])

/** `web/notices/Bell.tsx` and 42 */
export function placeOf(node: ts.Node): { file: string; line: number } {
  const source = node.getSourceFile()
  const { line } = source.getLineAndCharacterOfPosition(node.getStart())
  return { file: source.fileName.slice(root.length + 1), line: line + 1 }
}
