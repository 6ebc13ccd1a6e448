/** Which methods each address of the service supports, gathered while routes are added. */
export class KnownAddresses {
  readonly #routes: { parts: string[]; methods: string[] }[] = []

  add(url: string, methods: string | readonly string[]): void {
    this.#routes.push({ parts: url.split('/'), methods: [methods].flat() })
  }

  /** Empty for an address that does not exist. */
  methodsOf(path: string): string[] {
    const parts = path.split('/')
    const fitting = this.#routes.filter((route) => isSamePath(route.parts, parts))
    return [...new Set(fitting.flatMap(({ methods }) => methods))].sort()
  }
}

/** `:name` stands for any part that is not empty, `*` at the end for any rest. */
function isSamePath(expected: readonly string[], found: readonly string[]): boolean {
  const isOpen = expected.at(-1) === '*'
  if (isOpen ? found.length < expected.length : found.length !== expected.length) return false
  return expected.every(
    (part, place) => part === '*' || (part.startsWith(':') ? found[place] !== '' : part === found[place]),
  )
}
