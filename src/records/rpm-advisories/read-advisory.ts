import { fieldOf, listField, textField, textsField } from '../../source-files/fields.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import type { RpmAdvisory, RpmFix, RpmPlatform } from './advisory.ts'

/** A notice from its stored form, also that of an earlier version. Refuses (`RefusedData`) anything else. */
export function readAdvisory(value: unknown, name: string): RpmAdvisory {
  const id = textField(value, 'id', 100)
  if (id === null) throw new RefusedData(`${name}: expected an advisory, found no id`)
  return {
    id,
    platforms: listField(value, 'platforms').flatMap(readPlatform),
    title: textField(value, 'title', 300) ?? '',
    severity: textField(value, 'severity', 40) ?? '',
    vectors: textsField(value, 'vectors', 400),
    issued: textField(value, 'issued', 40),
    updated: textField(value, 'updated', 40),
    cves: textsField(value, 'cves', 40),
    references: [],
  }
}

function readPlatform(value: unknown): RpmPlatform[] {
  const ecosystem = textField(value, 'ecosystem', 100)
  return ecosystem === null ? [] : [{ ecosystem, fixes: listField(value, 'fixes').flatMap(readFix) }]
}

function readFix(value: unknown): RpmFix[] {
  const name = textField(value, 'name', 512)
  const fixed = textField(value, 'fixed', 512)
  const from = textField(value, 'from', 512)
  const module = textField(value, 'module', 170)
  if (name === null || fixed === null) return []
  return [
    {
      name,
      fixed,
      ...(from === null ? {} : { from }),
      ...(module === null ? {} : { module }),
      ...(fieldOf(value, 'isOfRepository') === true ? { isOfRepository: true } : {}),
    },
  ]
}
