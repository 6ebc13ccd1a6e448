/** `epoch:` in front of a Debian or RPM version. */
const inlineEpoch = /^(\d{1,10}):/

/**
 * Puts the epoch in front of a version exactly once: what the version carries already counts before what is written beside
 * it, and an epoch of zero is the same as none (Debian Policy 5.6.12, rpm-version(7)).
 */
export function foldEpoch(version: string, beside: string | null | undefined): string {
  const inline = epochOf(version)
  const bare = withoutEpoch(version)
  const epoch = Number(inline ?? (/^\d{1,10}$/.test(beside ?? '') ? beside : '0'))
  return epoch === 0 || bare === '' ? bare : `${epoch}:${bare}`
}

/** The version from behind the epoch. */
export function withoutEpoch(version: string): string {
  return version.replace(inlineEpoch, '')
}

export function epochOf(version: string): string | undefined {
  return inlineEpoch.exec(version)?.[1]
}
