import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { BodyShare } from './body-share.ts'
import { holdable, type HeldSocket } from './hold-socket.ts'
import { Rounds } from './rounds.ts'

const endOfHead = Buffer.from('\r\n\r\n')
/** Of a body, which is not searched for a head. In the smallest chunks a piece takes some milliseconds. */
const pieceBytes = 8 * 1024
/** What is buffered for all connections, behind the requests that are being answered and of bodies whose turn has not come. */
const maxBytes = 64 * 1024 * 1024

/** What has come on a connection. */
type Line = {
  socket: Socket
  held: HeldSocket
  /** What Node does with bytes, and once its client has stopped sending. */
  parse: (chunk: Buffer) => void
  end: () => void
  hasEnded: boolean
  /** Behind the request that is being answered. */
  rest: Buffer | undefined
  /** The last request, and whether its answer is over. */
  request: IncomingMessage | undefined
  isAnswered: boolean
  /** For its turn to be read. */
  isWaiting: boolean
  /** Read on as soon as Node wants more. */
  isRefused: boolean
}

/**
 * Makes Node read each connection one request at a time. It would turn all pipelined requests (RFC 9112, 9.3.2) into objects at once, each a
 * hundred times as large as its bytes, and block everybody meanwhile. While one is being answered, the bytes behind it stay as they are, and no
 * more is read. `bytes`: above this on all connections, the one that has sent most is closed.
 */
export function readInTurn(server: Server, bytes = maxBytes): void {
  const lines = new Lines(bytes)
  const opened = 'setSecureContext' in server ? 'secureConnection' : 'connection'
  server.on(opened, (socket: Socket) => lines.open(socket))
  server.on('request', (request, response) => lines.begin(request, response))
  // from here on its listener owns the connection
  server.on('connect', (_request, socket) => lines.leave(socket))
}

class Lines {
  readonly #bytes: number
  readonly #lines = new WeakMap<Duplex, Line>()
  readonly #holding = new Map<Line, number>()
  readonly #rounds = new Rounds()
  readonly #share = new BodyShare()
  #held = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Takes the place of Node's parser as the one who listens to the connection. */
  open(socket: Socket): void {
    const parse = socket.listeners('data').at(-1) as Line['parse'] | undefined
    const end = socket.listeners('end').at(-1) as Line['end'] | undefined
    if (parse === undefined || end === undefined) return
    const line: Line = {
      socket,
      held: holdable(socket, () => this.#wanted(line)),
      parse,
      end,
      hasEnded: false,
      rest: undefined,
      request: undefined,
      isAnswered: true,
      isWaiting: false,
      isRefused: false,
    }
    this.#watch(line)
  }

  #watch(line: Line): void {
    const { socket, parse, end } = line
    this.#lines.set(socket, line)
    socket.off('data', parse)
    socket.off('end', end)
    socket.on('data', (chunk: Buffer) => {
      line.rest = line.rest === undefined ? chunk : Buffer.concat([line.rest, chunk])
      this.#goOn(line)
    })
    socket.on('end', () => {
      line.hasEnded = true
      if (line.rest === undefined) line.end.call(socket)
    })
    socket.once('close', () => this.leave(socket))
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const line = this.#lines.get(request.socket)
    if (line === undefined) return
    line.request = request
    line.isAnswered = false
    if (losesWhatFollows(request)) response.setHeader('connection', 'close')
    response.once('close', () => {
      // in case several came at once after all
      if (line.request !== request) return
      line.isAnswered = true
      if (line.rest !== undefined) this.#rounds.add(() => this.#goOn(line))
    })
  }

  leave(socket: Duplex): void {
    const line = this.#lines.get(socket)
    if (line === undefined) return
    line.parse = line.end = () => undefined
    line.rest = undefined
    this.#count(line)
  }

  #goOn(line: Line): void {
    while (line.rest !== undefined && (line.isAnswered || isInBody(line)) && !this.#hasToWait(line)) {
      line.isRefused = isRefusing(line.socket)
      if (line.isRefused) break
      this.#readPiece(line, line.rest)
    }
    const wasHolding = this.#holding.has(line)
    this.#count(line)
    if (line.rest !== undefined) line.held.hold()
    else if (wasHolding && line.hasEnded) line.end.call(line.socket)
    else if (wasHolding) line.held.release()
  }

  #wanted(line: Line): void {
    if (!line.isRefused) return
    line.isRefused = false
    this.#rounds.add(() => this.#goOn(line))
  }

  #readPiece(line: Line, rest: Buffer): void {
    const { socket, parse } = line
    const length = lengthOfPiece(rest, line)
    line.rest = length < rest.length ? rest.subarray(length) : undefined
    const read = () => parse.call(socket, length < rest.length ? rest.subarray(0, length) : rest)
    if (isInBody(line)) this.#share.take(length, read)
    else read()
  }

  /** A body waits while others have used up the time; a request never does. What is only discarded counts together as that of one client. */
  #hasToWait(line: Line): boolean {
    if (!isInBody(line) || !this.#share.isUsedUp) return false
    if (!line.isWaiting) {
      line.isWaiting = true
      const goOn = () => {
        line.isWaiting = false
        this.#goOn(line)
      }
      this.#share.wait(goOn, line.isAnswered ? '' : (line.socket.remoteAddress ?? ''))
    }
    return true
  }

  #count(line: Line): void {
    const bytes = line.rest?.length ?? 0
    this.#held += bytes - (this.#holding.get(line) ?? 0)
    if (bytes === 0) this.#holding.delete(line)
    else this.#holding.set(line, bytes)
    if (this.#held > this.#bytes) this.#endLargest(line)
  }

  #endLargest(newcomer: Line): void {
    let largest = newcomer
    for (const [line, bytes] of this.#holding) if (bytes > (this.#holding.get(largest) ?? 0)) largest = line
    largest.socket.destroy()
    this.leave(largest.socket)
  }
}

/**
 * Node takes in nothing while a client does not take in its answers: by its own word, as it may pause a connection for other reasons, in which
 * what has come can be read all the same.
 */
function isRefusing(socket: Socket & { _paused?: boolean }): boolean {
  return socket._paused === true
}

/**
 * Node's parser stops behind the body of a request that asks for another protocol, which nobody speaks here, and drops the rest of the piece: the
 * next request would be read from its middle. Behind a head there is no rest, as pieces end with heads.
 */
function losesWhatFollows({ headers, complete }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && !complete
}

function isInBody({ request }: Line): boolean {
  return request?.complete === false
}

/** A head, or what there is of it; of a body a piece. */
function lengthOfPiece(rest: Buffer, line: Line): number {
  if (isInBody(line)) return Math.min(rest.length, pieceBytes)
  const end = rest.indexOf(endOfHead)
  return end === -1 ? rest.length : end + endOfHead.length
}
