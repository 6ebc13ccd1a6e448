import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipStream = {
  add: (name: string, content: Buffer) => Promise<void>
  /** Writes the directory. */
  end: () => Promise<void>
}

const localHeader = Buffer.from('504b03041400000008000000210000000000000000000000000000000000', 'hex')
const centralHeader = Buffer.from('504b01021400140000000800000021', 'hex')
const centralBytes = 46
const most32 = 0xffff_ffff

/**
 * A zip file (APPNOTE 6.3.10) of any number of entries that goes to the disk as it is made: the names and places of its entries are all that is
 * kept. Its end is always that of zip64 (§4.3.14), since 16 bits do not count a million.
 */
export function writeZip(path: string): ZipStream {
  const file = createWriteStream(path, { highWaterMark: 1024 ** 2 })
  const directory: Buffer[] = []
  let offset = 0
  return {
    add: async (name, content) => {
      if (offset > most32) throw new Error(`${path} has grown beyond 4 GiB`)
      const data = deflateRawSync(content, { level: 1 })
      const shared = sharedFields(name, content, data)
      const local = Buffer.from(localHeader)
      shared.copy(local, 14)
      const central = Buffer.alloc(centralBytes)
      centralHeader.copy(central)
      shared.copy(central, 16)
      central.writeUInt32LE(offset, 42)
      directory.push(Buffer.concat([central, Buffer.from(name)]))
      const entry = Buffer.concat([local, Buffer.from(name), data])
      offset += entry.length
      await write(file, entry)
    },
    end: async () => {
      const count = directory.length
      let bytes = 0
      for (const entry of directory) {
        bytes += entry.length
        await write(file, entry)
      }
      file.end(endOf({ count, bytes, start: offset }))
      await finished(file)
    },
  }
}

async function write(file: WriteStream, bytes: Buffer): Promise<void> {
  if (!file.write(bytes)) await once(file, 'drain')
}

/** Checksum, sizes and the length of the name, which both headers have one behind the other. */
function sharedFields(name: string, content: Buffer, data: Buffer): Buffer {
  const fields = Buffer.alloc(16)
  fields.writeUInt32LE(crc32(content), 0)
  fields.writeUInt32LE(data.length, 4)
  fields.writeUInt32LE(content.length, 8)
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
