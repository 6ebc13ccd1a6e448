/** Each with the tag in front; of `git describe` with the number of commits behind it. */
const forms: readonly RegExp[] = [
  // `v1.2.3-14-gabcdef0`, `1.2.3.r14.gabcdef0` (Arch), `1.2.3+14+gabcdef0`, `1.2.3-14-gabcdef0-dirty`
  /^(.*\d[a-z\d]*)[-._+]r?(\d+)[-._+]g[\da-f]{4,40}(?:[-.+]dirty)?$/i,
  // `1.2.3+git20240101`, `1.2.3_git20240101`, `1.2.3~git5.abcdef0`, `1.2.3+snapshot20240101`, `1.2.3^20240101git5`
  /^(.*\d[a-z\d]*)[-._+~^]+(?:git|svn|hg|snap|snapshot|cvs)[-._+]?(?:[\d.]+)?(?:[-._+~]?g?[\da-f]{4,40})?$/i,
  /^(.*\d[a-z\d]*)[-._+~^]+(?:20\d{6}(?:T?\d{4,6})?[-._+]?git[\da-f.]*|dirty)$/i,
  // `1.2.3-abcdef0`
  /^(.*\d[a-z\d]*)[-_+~^]+g?(?=[\d]*[a-f])[\da-f]{7,40}$/i,
]

/** `v1.2.4-0.20240101120000-abcdef012345`: what Go calls the commits between 1.2.3 and 1.2.4 (https://go.dev/ref/mod#pseudo-versions). */
const betweenReleases = /^(v?\d+\.\d+\.)(\d+)-0\.\d{14}-[\da-f]{12}(?:\+incompatible)?$/
const behindPrerelease = /^(v?\d+\.\d+\.\d+-.+)\.0\.\d{14}-[\da-f]{12}(?:\+incompatible)?$/

/**
 * The tag behind which a snapshot was made; undefined for a version that is none. `git describe --long` writes 0 commits at the tag itself.
 */
export function snapshotOf(version: string): { tag: string; isAtTag: boolean } | undefined {
  const [, line, patch] = betweenReleases.exec(version) ?? []
  if (line !== undefined && patch !== undefined && patch !== '0')
    return { tag: `${line}${BigInt(patch) - 1n}`, isAtTag: false }
  const prerelease = behindPrerelease.exec(version)?.[1]
  if (prerelease !== undefined) return { tag: prerelease, isAtTag: false }
  for (const [place, form] of forms.entries()) {
    const [, tag, commits] = form.exec(version) ?? []
    if (tag !== undefined) return { tag, isAtTag: place === 0 && commits === '0' && !/dirty$/i.test(version) }
  }
  return undefined
}

/** The commit in `v0.0.0-20240101120000-abcdef012345`, before which Go knows no tag. */
export function commitOfPseudoVersion(version: string): string | undefined {
  return /^v?0\.0\.0-\d{14}-([\da-f]{12})$/.exec(version)?.[1]
}
