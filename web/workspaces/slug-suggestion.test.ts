import { expect, it } from 'vitest'
import { suggestSlug } from './slug-suggestion.ts'

it.each([
  ['Acme AS', 'acme-as'],
  ['Müller & Søn AS', 'muller-son-as'],
  ['  Pump --- Works  ', 'pump-works'],
  ['ACME, Inc.', 'acme-inc'],
  ['日本', ''],
  ['a'.repeat(60), 'a'.repeat(40)],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  [`${'a'.repeat(40)} b`, 'a'.repeat(40)],
  ['Nordic Pump Controllers and Valve Actuators AS', 'nordic-pump-controllers-and-valve'],
  [`A ${'b'.repeat(60)}`, `a-${'b'.repeat(38)}`],
])('%j → %j', (companyName, slug) => {
  expect(suggestSlug(companyName)).toBe(slug)
})
