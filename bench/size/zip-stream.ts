import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipStream = {
  add: (name: string, content: Buffer) => Promise<void>
  /** As it is, without compressing it. */
  addFile: (name: string, path: string) => Promise<void>
  /** Writes the directory. */
  end: () => Promise<void>
}

const localHeader = Buffer.from('504b03041400000008000000210000000000000000000000000000000000', 'hex')
const centralHeader = Buffer.from('504b01021400140000000800000021', 'hex')
const centralBytes = 46
const [stored, deflated] = [0, 8]
const max32 = 0xffff_ffff

/**
 * A zip file (APPNOTE 6.3.10) of any number of entries that goes to the disk as it is made: the names and places of its entries are all that is
 * kept. Its end is always that of zip64 (§4.3.14), since 16 bits do not count a million.
 */
export function writeZip(path: string): ZipStream {
  const file = createWriteStream(path, { highWaterMark: 1024 ** 2 })
  // texts of one byte a character: small buffers would each keep the pool that they are a piece of
  const directory: string[] = []
  let offset = 0
  const begin = async (name: string, { method, ...sizes }: Described) => {
    if (offset > max32) throw new Error(`${path} has grown beyond 4 GiB`)
    const shared = sharedFields(name, sizes)
    const local = Buffer.from(localHeader)
    local.writeUInt16LE(method, 8)
    shared.copy(local, 14)
    const central = Buffer.alloc(centralBytes)
    centralHeader.copy(central)
    central.writeUInt16LE(method, 10)
    shared.copy(central, 16)
    central.writeUInt32LE(offset, 42)
    directory.push(Buffer.concat([central, Buffer.from(name)]).toString('latin1'))
    await write(file, Buffer.concat([local, Buffer.from(name)]))
    offset += local.length + Buffer.byteLength(name) + sizes.compressed
  }
  return {
    add: async (name, content) => {
      const data = deflateRawSync(content, { level: 1 })
      const sizes = { compressed: data.length, uncompressed: content.length }
      await begin(name, { method: deflated, checksum: crc32(content), ...sizes })
      await write(file, data)
    },
    addFile: async (name, from) => {
      const { size } = await stat(from)
      const sizes = { compressed: size, uncompressed: size }
      await begin(name, { method: stored, checksum: await checksumOf(from), ...sizes })
      for await (const chunk of createReadStream(from) as AsyncIterable<Buffer>) await write(file, chunk)
    },
    end: async () => {
      const count = directory.length
      let bytes = 0
      for (const entry of directory) {
        bytes += entry.length
        await write(file, Buffer.from(entry, 'latin1'))
      }
      file.end(endOf({ count, bytes, start: offset }))
      await finished(file)
    },
  }
}

async function write(file: WriteStream, bytes: Buffer): Promise<void> {
  if (!file.write(bytes)) await once(file, 'drain')
}

async function checksumOf(path: string): Promise<number> {
  let checksum = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) checksum = crc32(chunk, checksum)
  return checksum
}

type Described = { method: number; checksum: number; compressed: number; uncompressed: number }

/** Checksum, sizes and the length of the name, which both headers have one behind the other. */
function sharedFields(
  name: string,
  { checksum, compressed, uncompressed }: Omit<Described, 'method'>,
): Buffer {
  const fields = Buffer.alloc(16)
  fields.writeUInt32LE(checksum, 0)
  fields.writeUInt32LE(compressed, 4)
  fields.writeUInt32LE(uncompressed, 8)
  fields.writeUInt16LE(Buffer.byteLength(name), 12)
  return fields
}

type Directory = { count: number; bytes: number; start: number }

function endOf({ count, bytes, start }: Directory): Buffer {
  const zip64 = Buffer.alloc(56)
  zip64.writeUInt32LE(0x06064b50, 0)
  zip64.writeBigUInt64LE(44n, 4)
  zip64.writeUInt16LE(45, 12)
  zip64.writeUInt16LE(45, 14)
  zip64.writeBigUInt64LE(BigInt(count), 24)
  zip64.writeBigUInt64LE(BigInt(count), 32)
  zip64.writeBigUInt64LE(BigInt(bytes), 40)
  zip64.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + bytes), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.fill(0xff, 8, 20)
  return Buffer.concat([zip64, locator, end])
}
