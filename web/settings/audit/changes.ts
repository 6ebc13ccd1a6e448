import { isRecord } from '#contract/is-record.ts'

/** One change or detail of an event: its name in words, with its values before and after. */
export type Change = { name: string; before?: string; after?: string }

/** The differences between before and after, field by field. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names.flatMap((name) => {
    const change = {
      name: wordsOf(name),
      ...(name in was ? { before: textOf(was[name]) } : {}),
      ...(name in is ? { after: textOf(is[name]) } : {}),
    }
    return change.before === change.after ? [] : [change]
  })
}

/** A value without fields counts as one without a name. */
function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return isRecord(value) ? value : { '': value }
}

/** `public_contact_email` and `publicContactEmail` → `public contact email`. */
function wordsOf(name: string): string {
  return name.replaceAll('_', ' ').replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'nothing'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(textOf).join(', ')
  return isRecord(value) ? pairsOf(value) : JSON.stringify(value)
}

function pairsOf(value: Record<string, unknown>): string {
  const pairs = Object.entries(value).map(([name, inner]) => `${wordsOf(name)}: ${textOf(inner)}`)
  return pairs.length === 0 ? 'nothing' : pairs.join('; ')
}
