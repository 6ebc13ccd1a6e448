/** A product family of a workspace. */
export type FamilyKey = { workspaceId: string; familyId: string }
