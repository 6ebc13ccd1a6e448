import { Type, type Static } from 'typebox'
import { time, nullable, extended } from '../schema.ts'

/** Categories of products with digital elements: default, important (CRA Annex III) and critical (Annex IV). */
export const productTypes = ['default', 'important', 'critical'] as const
export type ProductType = (typeof productTypes)[number]

/** Classes of important products (CRA Annex III). */
export const productClasses = ['class_1', 'class_2'] as const
export type ProductClass = (typeof productClasses)[number]

/** What authorities ask about a product in every report, whatever happened to it. */
export const ProductFacts = Type.Object({
  /** Codes of the states in which it is available. */
  memberStates: Type.Array(Type.String()),
  productType: nullable(Type.Enum(productTypes)),
  /** Of an important product. */
  productClass: nullable(Type.Enum(productClasses)),
  /** Of an important or critical product, in the words of Annex III or IV. */
  category: nullable(Type.String()),
  /** The last day of the support period: `2031-12-31`. */
  supportEndsOn: nullable(Type.String()),
  /** Where its users reach the manufacturer: an e-mail address, a phone number, a page. */
  userContact: nullable(Type.String()),
})
export type ProductFacts = Static<typeof ProductFacts>

/** As they are kept with a family; null where nothing has been entered yet. */
export const KeptProductFacts = extended(ProductFacts, {
  changedAt: nullable(time),
  changedBy: nullable(Type.String()),
})
export type KeptProductFacts = Static<typeof KeptProductFacts>

/** The longest texts, in characters. */
export const productFactLimits = { category: 300, userContact: 255 } as const

export const noProductFacts: ProductFacts = {
  memberStates: [],
  productType: null,
  productClass: null,
  category: null,
  supportEndsOn: null,
  userContact: null,
}
