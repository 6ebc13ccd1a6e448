import { expect, it } from 'vitest'
import { tokenWords } from './token-words.ts'

it.each([
  [{ name: 'ci', prefix: 'svc_Ab12', family: { name: 'Pump 1' } }, 'ci (svc_Ab12…, Pump 1)'],
  [{ name: 'ops', prefix: 'svc_Cd34', family: null }, 'ops (svc_Cd34…, workspace)'],
  [{ name: 'ci', prefix: 'svc_Ab12' }, 'ci (svc_Ab12…)'],
])('%o is %s', (token, words) => {
  expect(tokenWords(token)).toBe(words)
})
