import type { Purl } from '../formats/purl/purl.ts'

/**
 * Why a package is not compared with the records of the registry or distribution that its purl names: a third party rebuilds it with its own
 * fixes and records, which we do not read. null: no such rebuild is known.
 *
 * Root (https://www.root.io) prefixes names of distributions (`rootio-openssl`), TuxCare (https://tuxcare.com) marks versions of any kind:
 * `3.10.0-tuxcare.1`, `5.3.18.tuxcare.2`, `26.el7_9.tuxcare.els3`.
 */
export function reasonOfRebuild({ name }: Purl, version: string): string | null {
  if (name.startsWith('rootio-') || (name.startsWith('root-') && version.includes('root.io')))
    return rebuiltBy('Root')
  return /[-.+~]tuxcare(?![a-z])/i.test(version) ? rebuiltBy('TuxCare') : null
}

function rebuiltBy(who: string): string {
  return `Packages that ${who} has patched have vulnerability records of their own, which are not compared.`
}
