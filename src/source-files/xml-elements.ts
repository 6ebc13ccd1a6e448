import sax from 'sax'
import { describeContent, RefusedData } from './refused-data.ts'
import { Stall } from '../platform/concurrency/stall.ts'

/** An element of an XML document with all that is in it; names are without their namespace's prefix. */
export type XmlElement = {
  name: string
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  /** Its own text, without that of its children. */
  text: string
}

/** What is wanted of a document, by the names of elements. */
export type Wanted = {
  root: string
  /** Cut out one by one; those in between are not looked at. */
  element: string
  /** Words for messages. */
  title: string
}

const maxDepth = 40
const maxElementCharacters = 32 * 1024 ** 2
const maxElementNodes = 500_000
const headBytes = 1_024

/**
 * Cuts elements out of an XML document that comes in pieces, so that nothing but one of them is held at a time. The document is foreign and
 * hostile: refuses (`RefusedData`) another root, a document type (entities could be declared there), what is not well-formed UTF-8 XML or is
 * cut off, and what is deeper or larger than any real one.
 */
export async function* xmlElements(
  chunks: AsyncIterable<Buffer>,
  wanted: Wanted,
): AsyncGenerator<XmlElement> {
  const cutter = new ElementCutter(wanted)
  for await (const piece of inTurns(chunks)) yield* cutter.push(piece)
  yield* cutter.finish()
}

const pieceBytes = 64 * 1024

/** Large pieces are split, so that other work gets its turn in between. */
async function* inTurns(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stall = new Stall()
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      yield chunk.subarray(at, at + pieceBytes)
      if (stall.isLong) await stall.end()
    }
}

class ElementCutter {
  readonly #wanted: Wanted
  readonly #parser = sax.parser(true, { position: false })
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  /** From the wanted element down to the one that is open. */
  #open: XmlElement[] = []
  #depth = 0
  #nodes = 0
  #characters = 0
  #hasRoot = false
  #head = Buffer.alloc(0)
  #found: XmlElement[] = []
  #refusal: RefusedData | null = null

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    this.#parser.onerror = (error) => this.#refuse(`found a mistake (${firstLine(error.message)})`)
    this.#parser.ondoctype = () => this.#refuse('found a document type, which none has')
    this.#parser.onopentag = (tag) => this.#openElement(tag)
    this.#parser.onclosetag = () => this.#closeElement()
    this.#parser.ontext = (text) => this.#addText(text)
    this.#parser.oncdata = (text) => this.#addText(text)
  }

  push(chunk: Buffer): XmlElement[] {
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes)]).subarray(0, headBytes)
    return this.#read(() => this.#parser.write(this.#decoder.decode(chunk, { stream: true })))
  }

  finish(): XmlElement[] {
    if (!this.#hasRoot && this.#refusal === null) throw this.#refused(this.#content())
    return this.#read(() => {
      this.#parser.write(this.#decoder.decode())
      if (this.#depth > 0) this.#refuse('found a document that is cut off')
      this.#parser.close()
    })
  }

  #read(step: () => void): XmlElement[] {
    try {
      step()
    } catch (cause) {
      if (this.#refusal === null)
        throw new RefusedData(`expected ${this.#wanted.title}, found text that is not UTF-8`, { cause })
    }
    if (this.#refusal !== null) throw this.#refusal
    const found = this.#found
    this.#found = []
    return found
  }

  /** The first thing that is wrong counts; the parser stops there. */
  #refuse(found: string): void {
    this.#refusal ??= this.#hasRoot ? this.#refused(found) : this.#refused(this.#content(found))
    throw this.#refusal
  }

  #refused(found: string): RefusedData {
    return new RefusedData(`expected ${this.#wanted.title}, ${found}`)
  }

  #content(otherwise?: string): string {
    const content = describeContent(this.#head)
    return otherwise !== undefined && content === 'an XML document' ? otherwise : `found ${content}`
  }

  #openElement({ name, attributes }: sax.Tag | sax.QualifiedTag): void {
    this.#depth += 1
    if (this.#depth > maxDepth) this.#refuse(`found elements more than ${maxDepth} deep`)
    const local = localName(name)
    if (this.#depth === 1) {
      if (this.#hasRoot || local !== this.#wanted.root)
        this.#refuse(`found an XML document of the kind "${local.slice(0, 60)}"`)
      this.#hasRoot = true
      return
    }
    const parent = this.#open.at(-1)
    if (parent === undefined && local !== this.#wanted.element) return
    const element = { name: local, attributes: this.#attributesOf(attributes), children: [], text: '' }
    this.#nodes += 1
    if (this.#nodes > maxElementNodes) this.#refuse(`found more than ${maxElementNodes} elements in one`)
    parent?.children.push(element)
    this.#open.push(element)
  }

  #attributesOf(attributes: sax.Tag['attributes'] | sax.QualifiedTag['attributes']): Map<string, string> {
    const own = new Map<string, string>()
    for (const [name, value] of Object.entries<string | sax.QualifiedAttribute>(attributes)) {
      const text = typeof value === 'string' ? value : value.value
      this.#count(text)
      own.set(localName(name), text)
    }
    return own
  }

  #closeElement(): void {
    this.#depth -= 1
    const closed = this.#open.pop()
    if (closed === undefined || this.#open.length > 0) return
    this.#found.push(closed)
    this.#nodes = 0
    this.#characters = 0
  }

  #addText(text: string): void {
    const element = this.#open.at(-1)
    if (element === undefined) return
    this.#count(text)
    element.text += text
  }

  #count(text: string): void {
    this.#characters += text.length
    if (this.#characters > maxElementCharacters)
      this.#refuse(`found more than ${maxElementCharacters} characters in one element`)
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}

/** The first child of this name. */
export function childOf({ children }: XmlElement, name: string): XmlElement | undefined {
  return children.find((child) => child.name === name)
}

/** Everything of this name anywhere below an element, in the order of the document. */
export function* elementsBelow({ children }: XmlElement, name: string): Generator<XmlElement> {
  for (const child of children) {
    if (child.name === name) yield child
    yield* elementsBelow(child, name)
  }
}

/** The text of the first child of this name; '' where there is none. */
export function childText(element: XmlElement, name: string): string {
  return childOf(element, name)?.text.trim() ?? ''
}

/** '' where there is none. */
export function attributeOf({ attributes }: XmlElement, name: string): string {
  return attributes.get(name)?.trim() ?? ''
}
