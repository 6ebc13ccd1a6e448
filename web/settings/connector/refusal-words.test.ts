import { expect, it } from 'vitest'
import { refusalCure, refusalWords } from './refusal-words.ts'

it('says why, with the detail when there is one', () => {
  expect(refusalWords({ error: 'bom_omitted', detail: null })).toBe('The notification carries no BOM.')
  expect(refusalWords({ error: 'unsupported_format', detail: 'CycloneDX 1.3' })).toMatch(
    /JSON\. CycloneDX 1\.3$/,
  )
})

it('knows a cure for what it names, and the general one', () => {
  expect(refusalCure('bom_omitted')).toMatch(/^Version 5/)
  expect(refusalCure('internal')).toBe('Upload the BOM to the platform again.')
})
