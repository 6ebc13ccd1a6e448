/** Packages of Alpine and Photon OS whose names do not contain that of their source, by the beginning of the name. */
const originsByName: readonly (readonly [RegExp, string])[] = [
  [/^lib(?:crypto|ssl)\d/, 'openssl'],
  [/^libcurl$/, 'curl'],
  [/^libexpat$/, 'expat'],
  [/^ssl_client$/, 'busybox'],
  [/^lib(?:gcc|stdc\+\+|gomp|atomic|gfortran\d*|quadmath)$/, 'gcc'],
  [/^scanelf$/, 'pax-utils'],
  [/^lib(?:uuid|blkid|mount|fdisk|smartcols)$/, 'util-linux'],
  [/^libcom_err$/, 'e2fsprogs'],
  [/^libldap$/, 'openldap'],
  [/^libcap2$/, 'libcap'],
  [/^libproc\d?$/, 'procps-ng'],
  [/^libmagic$/, 'file'],
  [/^libsystemd$/, 'systemd'],
  [/^libintl$/, 'gettext'],
  [/^libbz2$/, 'bzip2'],
]

/** Suffixes of the parts into which a package is split. */
const split =
  /-(?:libs?|dev|devel|static|utils|tools|clients?|server(?:-common|-pam)?|common|data|doc|lang|openrc|binsh|extras|pyc|plugins?|terminfo(?:-base)?|keygen|sftp-server|bash-completion|zsh-completion|cli|cgi|fpm|suexec|bin|core)$/

/**
 * The package that one of these was likely built from where the SBOM does not say, by its name: `libcrypto3` is of `openssl`, `ncurses-libs` of
 * `ncurses`. null where the name is its own. A guess: matches by it are only possible.
 */
export function likelyOrigin(name: string): string | null {
  const known = originsByName.find(([pattern]) => pattern.test(name))
  if (known !== undefined) return known[1]
  const whole = name.replace(split, '')
  return whole === name || whole === '' ? null : whole
}
