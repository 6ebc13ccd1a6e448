const maxNameCharacters = 200

/** One line without path, as people can read it. */
export function boundedName(fileName: string): string {
  const plain = fileName.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]+/gu, ' ').trim()
  const name = [...plain.toWellFormed()].slice(-maxNameCharacters).join('')
  return name === '' ? 'attachment' : name
}
