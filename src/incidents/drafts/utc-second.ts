/** As drafts write a time: without the fraction of a second, an instant that is not later. */
export function utcSecond(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
