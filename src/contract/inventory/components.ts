import { Type, type Static } from 'typebox'
import { nullable } from '../schema.ts'
import { shownDecidabilities } from '../identity.ts'
import { componentScopes } from '../sbom/shapes.ts'

export const componentSorts = ['name', '-name', 'findings'] as const

export type ComponentSort = (typeof componentSorts)[number]

export const ComponentRow = Type.Object({
  number: Type.Number(),
  type: nullable(Type.String()),
  group: nullable(Type.String()),
  name: Type.String(),
  version: nullable(Type.String()),
  purl: nullable(Type.String()),
  cpe: nullable(Type.String()),
  licence: nullable(Type.String()),
  supplier: nullable(Type.String()),
  /** Null: the document does not say. */
  scope: nullable(Type.Enum(componentScopes)),
  decidability: Type.Enum(shownDecidabilities),
  /** Why the component could not be decided. */
  reason: nullable(Type.String()),
  /** Open ones that are not declared not affected or fixed. */
  findings: Type.Number(),
})
export type ComponentRow = Static<typeof ComponentRow>
