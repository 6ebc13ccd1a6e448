/** The default test clock. */
export const testNow = new Date('2026-01-01T00:00:00.000Z')

export function later(minutes: number): Date {
  return new Date(testNow.getTime() + minutes * 60_000)
}
