import { useEffect, useRef } from 'react'
import { changedMeanwhile } from './changed-meanwhile.ts'
import { isSame, mergeUntouched } from './merge-untouched.ts'

/** The fields of a form: current values, and how to set them. */
type Fields<Values> = { getValues: () => Values; setFieldValue: (field: never, value: never) => void }

type Telling = {
  getInputNode: (field: string) => HTMLElement | null
  setFieldError: (field: never, words: string) => void
}

export type Following<Values> = {
  /** The values of untouched fields. */
  before: () => Values
  /** The service now has these values: fields that still show them count as untouched. */
  note: (sent: Values) => void
}

/** Keeps untouched fields of a visible form equal to the service's values, on every refetch, and says at the others what changed. */
export function useFollowing<Values extends Record<string, unknown>>(
  fields: Fields<Values> & Telling,
  stored: Values,
  follows: boolean,
): Following<Values> {
  const before = useRef(stored)
  const known = JSON.stringify(stored)
  useEffect(() => {
    if (!follows) return
    const three = { before: before.current, now: stored, typed: fields.getValues() }
    setChanged(fields, mergeUntouched(three))
    for (const [field, words] of Object.entries(changedMeanwhile(three, fields.getInputNode)))
      fields.setFieldError(field as never, words)
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

/** Sets the fields that differ; refusals of the others stay. */
export function setChanged<Values extends Record<string, unknown>>(
  fields: Fields<Values>,
  values: Values,
): void {
  const typed = fields.getValues()
  for (const [field, value] of Object.entries(values))
    if (!isSame(typed[field], value)) fields.setFieldValue(field as never, value as never)
}
