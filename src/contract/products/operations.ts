import { Type } from 'typebox'
import { familySorts, FamilyDetail, FamilyName, FamilyPage } from './shapes.ts'
import { Page } from '../page.ts'
import { SbomRow } from '../sbom/rows.ts'
import { FamilyHistoryDay } from '../inventory/shapes.ts'
import { FamilyBadge } from '../metrics/badge.ts'
import {
  productClasses,
  productFactLimits,
  productTypes,
  KeptProductFacts,
} from '../incidents/product-facts.ts'
import { answer, nothing, operation } from '../operation.ts'
import { nullable } from '../schema.ts'

const families = '/workspaces/:slug/families'
const family = `${families}/:family`

export const listFamilies = operation({
  method: 'GET',
  path: families,
  permission: 'any_member',
  query: { archived: ['true', 'false'], search: 'text', sort: familySorts, cursor: 'text' },
  answer: answer(FamilyPage),
})

/** All in use, by name. */
export const listFamilyNames = operation({
  method: 'GET',
  path: '/workspaces/:slug/family-names',
  permission: 'any_member',
  answer: answer(Type.Object({ families: Type.Array(FamilyName) })),
})

const NewName = Type.Object({ name: Type.String({ maxLength: 500 }) })

export const createFamily = operation({
  method: 'POST',
  path: families,
  permission: 'manage_families',
  body: NewName,
  answer: answer(Type.Object({ id: Type.String() }), 201),
})

export const getFamily = operation({
  method: 'GET',
  path: family,
  permission: 'any_member',
  answer: answer(FamilyDetail),
})

export const renameFamily = operation({
  method: 'PATCH',
  path: family,
  permission: 'manage_families',
  body: NewName,
  answer: nothing,
})

/** Only an archived one. */
export const deleteFamily = operation({
  method: 'DELETE',
  path: family,
  permission: 'manage_families',
  body: Type.Object({ confirmName: Type.String({ maxLength: 500 }) }),
  answer: nothing,
})

export const archiveFamily = operation({
  method: 'POST',
  path: `${family}/archive`,
  permission: 'manage_families',
  answer: nothing,
})

export const restoreFamily = operation({
  method: 'POST',
  path: `${family}/restore`,
  permission: 'manage_families',
  answer: nothing,
})

/** What reports to authorities say about the product, whatever happened to it. */
export const getProductFacts = operation({
  method: 'GET',
  path: `${family}/product-facts`,
  permission: 'any_member',
  answer: answer(KeptProductFacts),
})

const orNull = (maxLength: number) => Type.Optional(nullable(Type.String({ maxLength: maxLength * 2 })))

/** What is left out stays, what is null is taken out. Drafts that are saved stay as they are. */
export const changeProductFacts = operation({
  method: 'PATCH',
  path: `${family}/product-facts`,
  permission: 'manage_families',
  body: Type.Object({
    memberStates: Type.Optional(Type.Array(Type.String({ maxLength: 10 }), { maxItems: 60 })),
    productType: Type.Optional(nullable(Type.Enum(productTypes))),
    productClass: Type.Optional(nullable(Type.Enum(productClasses))),
    category: orNull(productFactLimits.category),
    supportEndsOn: orNull(10),
    userContact: orNull(productFactLimits.userContact),
  }),
  answer: nothing,
})

/** Newest first. */
export const listFamilySboms = operation({
  method: 'GET',
  path: `${family}/sboms`,
  permission: 'any_member',
  query: { cursor: 'text' },
  answer: answer(Page(SbomRow)),
})

export const getFamilyHistory = operation({
  method: 'GET',
  path: `${family}/history`,
  permission: 'any_member',
  answer: answer(Type.Object({ days: Type.Array(FamilyHistoryDay) })),
})

/** What the public badge says now, whether it is switched on or not. */
export const getFamilyBadge = operation({
  method: 'GET',
  path: `${family}/badge`,
  permission: 'any_member',
  answer: answer(FamilyBadge),
})

export const switchBadgeOn = operation({
  method: 'POST',
  path: `${family}/badge`,
  permission: 'manage_families',
  answer: nothing,
})

/** Less is shown afterwards: it works while the workspace is read-only. */
export const switchBadgeOff = operation({
  method: 'DELETE',
  path: `${family}/badge`,
  permission: 'manage_families',
  answer: nothing,
  worksReadOnly: true,
})

const version = `${family}/versions/:version`

export const retireVersion = operation({
  method: 'POST',
  path: `${version}/retire`,
  permission: 'edit_versions',
  answer: nothing,
})

export const restoreVersion = operation({
  method: 'POST',
  path: `${version}/restore`,
  permission: 'edit_versions',
  answer: nothing,
})

export const makeVersionCurrent = operation({
  method: 'POST',
  path: `${version}/make-current`,
  permission: 'edit_versions',
  answer: nothing,
})
