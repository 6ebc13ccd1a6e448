/** What distinguishes tokens of the same name. `family`: null for a workspace token, undefined on the page of one family. */
type NamedToken = { name: string; prefix: string; family?: { name: string } | null | undefined }

/** `ci (svc_Ab12…, Pump 1)`: cannot be confused with another token of the same name. */
export function tokenWords({ name, prefix, family }: NamedToken): string {
  const place = family === undefined ? '' : `, ${family === null ? 'workspace' : family.name}`
  return `${name} (${prefix}…${place})`
}
