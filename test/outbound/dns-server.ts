import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type DnsAnswers = {
  a?: string[]
  aaaa?: string[]
  /** The name is an alias of this one, whose addresses are returned. */
  cname?: string
  /** Never answers, or not for the addresses of one kind. */
  isSilent?: boolean | 'a' | 'aaaa'
}

export type DnsServer = {
  /** `host:port` for the outbound client. */
  address: string
  /** Names queried so far, once per query. */
  asked: string[]
  close: () => void
}

const typeA = 1
const typeAaaa = 28
const typeCname = 5

/** A resolver on loopback that answers from a table; names not in it do not exist. */
export async function startDnsServer(answer: (name: string) => DnsAnswers | undefined): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, peer) => {
    const { name, type, questionEnd } = readQuestion(query)
    if (type === typeA) asked.push(name)
    const found = answer(name)
    const addresses = type === typeA ? found?.a : type === typeAaaa ? found?.aaaa : undefined
    if (found?.isSilent === true || found?.isSilent === (type === typeA ? 'a' : 'aaaa')) return
    const records = [
      ...(found?.cname === undefined ? [] : [record(typeCname, nameBytes(found.cname))]),
      ...(addresses ?? []).map((address) => record(type, addressBytes(type, address))),
    ]
    const answered = reply(query.subarray(0, questionEnd), found === undefined, records)
    socket.send(answered, peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() }
}

function readQuestion(query: Buffer): { name: string; type: number; questionEnd: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), questionEnd: at + 5 }
}

function reply(question: Buffer, unknown: boolean, records: Buffer[]): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | (unknown ? 3 : 0), 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records])
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  // a time to live of 0: nothing is cached
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function addressBytes(type: number, address: string): Buffer {
  return type === typeA ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right] = address.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  const bytes = Buffer.alloc(16)
  groups.forEach((group, index) => bytes.writeUInt16BE(parseInt(group, 16), index * 2))
  return bytes
}
