/** The files of a tar archive (ustar) by name. */
export function tarFiles(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; archive[at] !== 0;) {
    const text = (from: number, length: number) =>
      archive.toString('ascii', at + from, at + from + length).replace(/\0.*$/s, '')
    const prefix = text(345, 155)
    const size = Number.parseInt(text(124, 12), 8)
    const begin = at + 512
    if (begin + size > archive.length) throw new Error('the archive ends in the middle of a file')
    files.set(
      prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`,
      archive.subarray(begin, begin + size),
    )
    at = begin + Math.ceil(size / 512) * 512
  }
  return files
}
