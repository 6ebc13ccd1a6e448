/** The digits of a decimal number without its leading zeros; zero becomes the empty string. */
export function withoutLeadingZeros(digits: string): string {
  let first = 0
  while (first < digits.length && digits.charCodeAt(first) === 0x30) first += 1
  return first === 0 ? digits : digits.slice(first)
}

/** Numbers written as digits, without the zeros at their end. */
export function withoutTrailingZeros(numbers: readonly string[]): string[] {
  return numbers.slice(0, numbers.findLastIndex((digits) => withoutLeadingZeros(digits) !== '') + 1)
}

/** Compares two decimal numbers of any length, written as digits. */
export function compareDigits(a: string, b: string): number {
  const left = withoutLeadingZeros(a)
  const right = withoutLeadingZeros(b)
  return Math.sign(left.length - right.length) || compareText(left, right)
}

/** Compares ASCII texts character by character, a prefix lower. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Compares two lists item by item; where one is the beginning of the other, the shorter is lower. */
export function compareLists<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compareItems: (a: Item, b: Item) => number,
): number {
  for (const [index, item] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = compareItems(item, other)
    if (order !== 0) return order
  }
  return a.length === b.length ? 0 : -1
}

export function isDigits(text: string): boolean {
  return /^\d+$/.test(text)
}
