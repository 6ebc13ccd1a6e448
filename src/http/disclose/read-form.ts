import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { reportLimits } from '../../contract/disclosure/shapes.ts'
import { boundedName } from '../../disclosure/form/file-name.ts'
import type { Attachment } from '../../disclosure/reports/receive-report.ts'
import { GrowingBody } from '../bodies/growing-body.ts'
import type { ArrivingBodies, ArrivingBody, BodyOwner } from '../bodies/arriving-bodies.ts'
import { watchPace } from '../bodies/body-pace.ts'
import { eachChunk } from '../read-body.ts'

/** Why a form cannot be accepted. */
export type FormProblem =
  | 'too_large'
  | 'too_much_text'
  | 'too_many_files'
  | 'empty_file'
  | 'not_utf8'
  | 'broken'

export type SentForm = {
  /** What was typed, as far as it could be read. */
  fields: Map<string, string>
  /** Names of the fields whose beginning alone was read. */
  cut: Set<string>
  attachments: Attachment[]
  problem: FormProblem | null
  /** More is coming than is read: the answer has to be sent while it still arrives. */
  isCutOff: boolean
}

type Reading = { bodies: ArrivingBodies; owner: BodyOwner }

/** Of all files and what was typed. */
const maxBytes = reportLimits.attachmentsBytes + 1024 * 1024
/** More than the longest text takes, each character in four bytes. */
const fieldBytes = 128 * 1024
/** Of all fields: twice what the longest report takes. All of it may have to be shown again, which takes everybody's time. */
const textBytes = 256 * 1024
const maxParts = 64

/**
 * Reads a form with files as browsers send it (RFC 7578), bounded in every respect as it arrives. The text comes before the files, so
 * that it is kept when these are too large. Codes: `timeout`, `internal` (others need the memory more).
 */
export async function readForm(request: IncomingMessage, { bodies, owner }: Reading): Promise<SentForm> {
  const form: SentForm = {
    fields: new Map(),
    cut: new Set(),
    attachments: [],
    problem: null,
    isCutOff: false,
  }
  // another header is seen by the handlers of the API (server.ts)
  const [type = ''] = request.headersDistinct['content-type'] ?? []
  using held = bodies.open(owner)
  const parser = parserFor(type, form, held)
  if (parser === undefined) return { ...form, problem: 'broken', isCutOff: true }
  let bytes = 0
  using watched = watchPace(bodies, () => bytes)
  await eachChunk(request, [held.over, watched.tooSlow], (chunk) => {
    bytes += chunk.length
    if (bytes <= maxBytes) {
      parser.write(chunk)
      return 'more'
    }
    form.problem = 'too_large'
    form.isCutOff = true
    return 'enough'
  })
  if (!form.isCutOff) await parser.end()
  if (parser.failed && !form.isCutOff) form.problem ??= 'broken'
  return form
}

type Parser = { write: (chunk: Buffer) => void; end: () => Promise<void>; failed: boolean }

/** The library's parser; undefined: it cannot read such a form, for which it throws. */
function busboyFor(type: string): InstanceType<typeof Busboy> | undefined {
  if (!/^multipart\/form-data\s*;/i.test(type)) return undefined
  try {
    return new Busboy({
      headers: { 'content-type': type },
      // bytes are checked here: the library must not decide whether they are UTF-8
      isPartAFile: () => true,
      limits: { parts: maxParts, headerPairs: 20, headerSize: 8 * 1024 },
    })
  } catch {
    return undefined
  }
}

function parserFor(type: string, form: SentForm, held: ArrivingBody): Parser | undefined {
  const busboy = busboyFor(type)
  if (busboy === undefined) return undefined
  const done = Promise.withResolvers<undefined>()
  const parser: Parser = {
    failed: false,
    write: (chunk) => {
      if (!parser.failed) busboy.write(chunk)
    },
    end: async () => {
      if (!parser.failed) busboy.end()
      await done.promise
    },
  }
  const files = new Files(form, held)
  const room = { bytes: textBytes }
  busboy.on('file', (name: string | undefined, part: Readable, fileName: string | undefined) => {
    if (fileName === undefined) collectField(part, { name: name ?? '', form, held, room })
    else files.collect(part, fileName)
  })
  busboy.on('partsLimit', () => {
    form.problem = 'broken'
    // it would go on to make a stream of each
    parser.failed = true
    done.resolve(undefined)
  })
  busboy.on('error', () => {
    parser.failed = true
    done.resolve(undefined)
  })
  busboy.on('finish', () => done.resolve(undefined))
  return parser
}

type Field = { name: string; form: SentForm; held: ArrivingBody; room: { bytes: number } }

function collectField(part: Readable, { name, form, held, room }: Field): void {
  const body = new GrowingBody(fieldBytes, held.hold)
  let isCut = false
  part.on('data', (chunk: Buffer) => {
    const taken = chunk.subarray(0, Math.min(fieldBytes - body.size, room.bytes))
    isCut ||= taken.length < chunk.length
    if (taken.length === 0) return
    room.bytes -= taken.length
    body.add(taken)
  })
  part.on('error', () => undefined)
  part.on('end', () => {
    if (isCut) {
      form.cut.add(name)
      form.problem ??= 'too_much_text'
    }
    const typed = Buffer.from(body.take())
    const text = utf8(typed)
    if (text === undefined && !isCut) form.problem ??= 'not_utf8'
    if (!form.fields.has(name)) form.fields.set(name, text ?? typed.toString('utf8'))
  })
}

/** Undefined: it is not. */
function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Files, as long as all of them together are allowed. */
class Files {
  readonly #form: SentForm
  readonly #held: ArrivingBody
  #bytes = 0
  #begun = 0

  constructor(form: SentForm, held: ArrivingBody) {
    this.#form = form
    this.#held = held
  }

  collect(part: Readable, fileName: string): void {
    const body = new GrowingBody(reportLimits.attachmentBytes, this.#held.hold)
    let bytes = 0
    part.on('data', (chunk: Buffer) => {
      if (bytes === 0) this.#begun += 1
      bytes += chunk.length
      this.#bytes += chunk.length
      if (this.#begun > reportLimits.attachments) this.#form.problem ??= 'too_many_files'
      if (bytes > reportLimits.attachmentBytes || this.#bytes > reportLimits.attachmentsBytes)
        this.#form.problem ??= 'too_large'
      if (this.#form.problem !== null) return
      body.add(chunk)
    })
    part.on('error', () => undefined)
    part.on('end', () => {
      // an empty file field is sent as a file without bytes and name
      if (bytes === 0 && fileName !== '') this.#form.problem ??= 'empty_file'
      if (bytes > 0 && this.#form.problem === null)
        this.#form.attachments.push({ name: boundedName(fileName), bytes: Buffer.from(body.take()) })
    })
  }
}
