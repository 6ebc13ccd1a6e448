import { useEffect, useRef } from 'react'
import { isSame, mergeUntouched } from './merge-untouched.ts'

/** The fields of a form: what is typed now, and how to change it. */
type Fields<Values> = { getValues: () => Values; setFieldValue: (field: never, value: never) => void }

export type Following<Values> = {
  /** What fields say that were not touched. */
  before: () => Values
  /** The service has this now, because it was sent; fields that still say it count as not touched. */
  note: (sent: Values) => void
}

/** While it is shown, the fields of a form that were not touched say what the service has, as often as that is read again. */
export function useFollowing<Values extends Record<string, unknown>>(
  fields: Fields<Values>,
  stored: Values,
  follows: boolean,
): Following<Values> {
  const before = useRef(stored)
  const known = JSON.stringify(stored)
  useEffect(() => {
    if (!follows) return
    setChanged(fields, mergeUntouched({ before: before.current, now: stored, typed: fields.getValues() }))
    before.current = stored
    // once for each state that was read
    // oxlint-disable-next-line react/exhaustive-deps
  }, [known])
  return {
    before: () => before.current,
    note: (sent) => {
      before.current = sent
    },
  }
}

/** Sets the fields that say something else; what was refused of the others stays beside them. */
export function setChanged<Values extends Record<string, unknown>>(
  fields: Fields<Values>,
  values: Values,
): void {
  const typed = fields.getValues()
  for (const [field, value] of Object.entries(values))
    if (!isSame(typed[field], value)) fields.setFieldValue(field as never, value as never)
}
