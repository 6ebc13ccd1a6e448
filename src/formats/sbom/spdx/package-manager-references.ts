/**
 * References to packages of package managers (SPDX 2.3, annex F.3), other than package URLs, by their types: `org.apache.tomcat:tomcat:9.0.0.M4`,
 * `http-server@0.3.0`, `Microsoft.AspNet.MVC/5.0.0`.
 */
const forms: ReadonlyMap<string, { form: RegExp; purlType: string }> = new Map([
  ['maven-central', { form: /^([^\s:]+):([^\s:]+)(?::([^\s:]+))?$/, purlType: 'maven' }],
  ['npm', { form: /^(?:(@[^\s/@]+)\/)?([^\s/@]+)(?:@([^\s@]+))?$/, purlType: 'npm' }],
  ['nuget', { form: /^()([^\s/]+)(?:\/([^\s/]+))?$/, purlType: 'nuget' }],
])

/** The package URL of what such a reference names, its type in lower case; null for any other. */
export function purlOfReference(type: string, locator: string): string | null {
  const known = forms.get(type)
  const [, namespace = '', name, version] = known?.form.exec(locator) ?? []
  if (known === undefined || name === undefined) return null
  const path = [known.purlType, ...(namespace === '' ? [] : [namespace]), name].map(encodeURIComponent)
  return `pkg:${path.join('/')}${version === undefined ? '' : `@${encodeURIComponent(version)}`}`
}
