import { isRecord } from '#contract/is-record.ts'

/** `before`: the untouched values of the form; `now`: those of the service; `typed`: those of the form. */
type Three<Values> = { before: Values; now: Values; typed: Values }

/** Keeps typed values and takes all others from the service, field by field, nested fields included. */
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

/**
 * The fields, as paths, that were typed here and saved elsewhere meanwhile, each with the value saved elsewhere. Lists are merged choice by
 * choice and never among them.
 */
export function changedOnBothSides(three: Three<unknown>, path = ''): [path: string, now: unknown][] {
  const { before, now, typed } = three
  if (isSame(before, typed) || isSame(before, now) || isSame(now, typed)) return []
  if (isList(before) && isList(now) && isList(typed)) return []
  if (!isRecord(before) || !isRecord(now) || !isRecord(typed)) return [[path, now]]
  return Object.keys(typed).flatMap((field) =>
    changedOnBothSides(
      { before: before[field], now: now[field], typed: typed[field] },
      path === '' ? field : `${path}.${field}`,
    ),
  )
}

/** Additions and removals made here, in this order, then additions made elsewhere. */
function mergeLists(before: unknown[], now: unknown[], typed: unknown[]): unknown[] {
  const stays = typed.filter((one) => now.includes(one) || !before.includes(one))
  return [...stays, ...now.filter((one) => !before.includes(one) && !typed.includes(one))]
}

/** Form values are texts, numbers, choices, and lists and records of these. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}
