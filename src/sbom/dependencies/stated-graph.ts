/**
 * The links of an SBOM as its document states them, each once. Node 0 is the product, node `n` the component at place `n` (from 1 on)
 * of the SBOM's ascending numbers. The targets of node `n` are `targets[starts[n]]` up to, but not including, `targets[starts[n + 1]]`,
 * ascending.
 */
export type StatedGraph = {
  /** Of the components, without the product. */
  nodes: number
  /** The node that is the product listed among the components, as SPDX does; 0: the product is none of them. */
  productNode: number
  starts: Int32Array
  targets: Int32Array
}

/** Two nodes fit one exact number: limits.components is below it. */
const nodeFactor = 2 ** 17

/** A link as one number, so that many are sorted at once. */
export function linkOf(from: number, to: number): number {
  return from * nodeFactor + to
}

/** From links in any order, repeated or not; `links` is sorted in place. */
export function graphOf(nodes: number, productNode: number, links: Float64Array): StatedGraph {
  links.sort()
  const starts = new Int32Array(nodes + 2)
  const targets = new Int32Array(links.length)
  let kept = 0
  let last = -1
  for (const link of links) {
    if (link === last) continue
    last = link
    targets[kept] = link % nodeFactor
    kept += 1
    starts[Math.floor(link / nodeFactor) + 1] = kept
  }
  // A node without links begins where the one before it ends.
  for (let node = 1; node < starts.length; node += 1) {
    starts[node] = Math.max(starts[node] ?? 0, starts[node - 1] ?? 0)
  }
  return { nodes, productNode, starts, targets: targets.slice(0, kept) }
}

/** The version of the stored form: a later release may read others as well. */
const form = 1
/** Seven bits a byte: three of them hold any node, two what usually lies between one target and the next. */
const longestNumber = 3

/**
 * The stored form: its version, the number of nodes, the product's node, and for each node the number of targets and the difference
 * of each from the previous one; all as varints, seven bits a byte, the lowest first.
 */
export function encodeGraph({ nodes, productNode, starts, targets }: StatedGraph): Buffer {
  const bytes = Buffer.alloc((nodes + targets.length + 4) * longestNumber)
  let end = 0
  const write = (number: number) => {
    let rest = number
    for (; rest >= 0x80; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80
    bytes[end++] = rest
  }
  write(form)
  write(nodes)
  write(productNode)
  for (let node = 0; node <= nodes; node += 1) {
    const [from, to] = [starts[node] ?? 0, starts[node + 1] ?? 0]
    write(to - from)
    let before = 0
    for (const target of targets.subarray(from, to)) {
      write(target - before)
      before = target
    }
  }
  return Buffer.from(bytes.subarray(0, end))
}

/** Reads what `encodeGraph` wrote; anything else is a defect. */
export function decodeGraph(bytes: Uint8Array): StatedGraph {
  let at = 0
  const read = () => {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('a stored dependency graph is cut off')
      number |= (byte & 0x7f) << shift
      if (byte < 0x80) return number
    }
  }
  if (read() !== form) throw new Error('a stored dependency graph is of an unknown form')
  const nodes = read()
  const productNode = read()
  const starts = new Int32Array(nodes + 2)
  // A target takes a byte at least.
  const targets = new Int32Array(bytes.length)
  let kept = 0
  for (let node = 0; node <= nodes; node += 1) {
    let target = 0
    for (let left = read(); left > 0; left -= 1) {
      target += read()
      targets[kept++] = target
    }
    starts[node + 1] = kept
  }
  return { nodes, productNode, starts, targets: targets.subarray(0, kept) }
}
