/** `before`: what the form showed of it when nothing was typed; `now`: what the service has now; `typed`: what the form has. */
type Three<Values> = { before: Values; now: Values; typed: Values }

/** What was typed here stays, and what was not touched is as the service has it now: by field, also of fields within one. */
export function mergeUntouched<Values>({ before, now, typed }: Three<Values>): Values {
  if (isSame(before, typed)) return now
  if (isSame(before, now)) return typed
  if (isList(before) && isList(now) && isList(typed)) return mergeLists(before, now, typed) as Values
  if (!isRecord(before) || !isRecord(now) || !isRecord(typed)) return typed
  const merged = Object.keys(typed).map((field) => [
    field,
    mergeUntouched({ before: before[field], now: now[field], typed: typed[field] }),
  ])
  return Object.fromEntries(merged) as Values
}

/** What was chosen and given up here, in its order, and then what was chosen there. */
function mergeLists(before: unknown[], now: unknown[], typed: unknown[]): unknown[] {
  const stays = typed.filter((one) => now.includes(one) || !before.includes(one))
  return [...stays, ...now.filter((one) => !before.includes(one) && !typed.includes(one))]
}

/** Values of forms are texts, numbers, choices, and lists and records of these. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
