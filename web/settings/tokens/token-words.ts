/** What tells tokens of one name apart. `family`: null for a token of the workspace, undefined where the page is about that family alone. */
type NamedToken = { name: string; prefix: string; family?: { name: string } | null | undefined }

/** `ci (svc_Ab12…, Pump 1)`: a token so that nobody takes it for another one of the same name. */
export function tokenWords({ name, prefix, family }: NamedToken): string {
  const place = family === undefined ? '' : `, ${family === null ? 'workspace' : family.name}`
  return `${name} (${prefix}…${place})`
}
