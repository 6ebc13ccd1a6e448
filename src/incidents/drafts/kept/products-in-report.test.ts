import { expect, test } from 'vitest'
import { noProductFacts, type ProductFacts } from '../../../contract/incidents/product-facts.ts'
import { productsInReport } from './products-in-report.ts'

const pump: ProductFacts = {
  memberStates: ['NO', 'DE'],
  productType: 'important',
  productClass: 'class_1',
  category: 'Password managers',
  supportEndsOn: '2026-11-01',
  userContact: 'support@acme.example',
}
const valve: ProductFacts = {
  ...pump,
  memberStates: ['DE', 'SE'],
  productClass: 'class_2',
  userContact: '+47 1',
}

test('one product is told as it is', () => {
  expect(productsInReport([pump], '2026-11-01')).toEqual({
    memberStates: ['DE', 'NO'],
    productType: 'important',
    productClass: 'class_1',
    category: 'Password managers',
    supportEnded: 'no',
    userContact: 'support@acme.example',
  })
})

test('of several, every state and contact, and only what they agree on', () => {
  expect(productsInReport([pump, valve], '2026-11-02')).toEqual({
    memberStates: ['DE', 'NO', 'SE'],
    productType: 'important',
    productClass: null,
    category: 'Password managers',
    supportEnded: 'yes',
    userContact: 'support@acme.example, +47 1',
  })
})

test('what is not known of one is not said of both', () => {
  expect(productsInReport([pump, null], '2026-11-01')).toMatchObject({
    productType: null,
    supportEnded: null,
  })
  expect(productsInReport([pump, noProductFacts], '2026-11-02')).toMatchObject({ supportEnded: 'yes' })
  expect(productsInReport([], '2026-11-02')).toMatchObject({
    memberStates: [],
    supportEnded: null,
    userContact: null,
  })
})
