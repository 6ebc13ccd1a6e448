/**
 * A file of a tar archive in the ustar format (POSIX.1-2017, pax, "ustar Interchange Format"): a header, the bytes, and zeros up to a whole
 * block.
 */
type TarEntry = {
  /** Letters of ASCII, `/` between folders: at most 100 behind the last one, and 155 before it. */
  name: string
  sizeBytes: number
  modifiedAt: Date
}

const blockBytes = 512
const nameBytes = 100
const prefixBytes = 155
/** Eleven octal digits. */
const maxBytes = 8 ** 11 - 1

/** Places of the fields of a header. */
const at = { mode: 100, owner: 108, group: 116, size: 124, time: 136, sum: 148, type: 156, magic: 257 }
const prefixAt = 345

/** The block before the bytes of a file: readable by everybody, of nobody. */
export function tarHeader({ name, sizeBytes, modifiedAt }: TarEntry): Buffer {
  if (sizeBytes > maxBytes) throw new Error(`${name} has more than ${maxBytes} bytes`)
  const header = Buffer.alloc(blockBytes)
  const { prefix, last } = parted(name)
  header.write(last, 0, 'ascii')
  header.write(prefix, prefixAt, 'ascii')
  writeOctal(header, at.mode, { value: 0o644, digits: 7 })
  writeOctal(header, at.owner, { value: 0, digits: 7 })
  writeOctal(header, at.group, { value: 0, digits: 7 })
  writeOctal(header, at.size, { value: sizeBytes, digits: 11 })
  writeOctal(header, at.time, { value: Math.floor(modifiedAt.getTime() / 1000), digits: 11 })
  header.write('0', at.type, 'ascii')
  header.write('ustar\0' + '00', at.magic, 'ascii')
  // its own place counts as spaces
  header.write(' '.repeat(8), at.sum, 'ascii')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, at.sum, 'ascii')
  return header
}

/** What follows the bytes of a file, up to a whole block. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes)
}

/** What follows the last file: two empty blocks. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * blockBytes)
}

function parted(name: string): { prefix: string; last: string } {
  if (!/^[\x20-\x7e]+$/.test(name)) throw new Error('a name in an archive has letters of ASCII alone')
  if (name.length <= nameBytes) return { prefix: '', last: name }
  const slash = name.indexOf('/', name.length - nameBytes - 1)
  if (slash <= 0 || slash > prefixBytes || slash === name.length - 1)
    throw new Error(`the name ${name} is too long for an archive`)
  return { prefix: name.slice(0, slash), last: name.slice(slash + 1) }
}

function writeOctal(
  header: Buffer,
  place: number,
  { value, digits }: { value: number; digits: number },
): void {
  header.write(`${octal(value, digits)}\0`, place, 'ascii')
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}
