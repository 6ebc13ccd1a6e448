/** The name half of a package key (ecosystem, U+001F, name). */
export function packageNameOf(packageKey: string | null): string | null {
  return packageKey === null ? null : packageKey.slice(packageKey.indexOf('\u001f') + 1)
}
