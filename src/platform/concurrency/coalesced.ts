/** Coalescing: whoever asks for the same, by `keyOf`, while work on it is under way gets that result. */
export function coalesced<Asked extends readonly unknown[], T>(
  work: (...asked: Asked) => Promise<T>,
  keyOf: (...asked: Asked) => string = () => '',
): (...asked: Asked) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  return (...asked) => {
    const key = keyOf(...asked)
    const known = underWay.get(key)
    if (known !== undefined) return known
    const begun = work(...asked).finally(() => underWay.delete(key))
    underWay.set(key, begun)
    return begun
  }
}
