import { useMemo, useState, type FocusEvent } from 'react'
import type { AdvisoryContent, AdvisoryPreview } from '#contract/advisories/shapes.ts'
import { fieldId } from './fields.ts'

/**
 * The problems to show beside their fields. What a new draft lacks from the beginning is no mistake of whoever writes it: it is shown once its
 * field is left, or the draft was saved. The tests beside it list it all the same.
 */
export function useToldProblems(
  preview: AdvisoryPreview | undefined,
  { of, isSaved }: { of: AdvisoryContent | undefined; isSaved: boolean },
) {
  const byField = useMemo(() => problemsByField(preview?.problems ?? []), [preview])
  const [begun] = useState(of)
  const [lacking, setLacking] = useState<ReadonlySet<string>>()
  if (lacking === undefined && preview !== undefined) setLacking(new Set(of === begun ? byField.keys() : []))
  const onLeft = ({ target }: FocusEvent<HTMLElement>) => {
    setLacking((before) => before && new Set([...before].filter((field) => fieldId(field) !== target.id)))
  }
  const problems = useMemo(
    () => new Map([...byField].filter(([field]) => isSaved || lacking?.has(field) === false)),
    [byField, isSaved, lacking],
  )
  return { problems, onLeft }
}

function problemsByField(
  problems: readonly { field: string | null; message: string }[],
): Map<string, string> {
  const byField = new Map<string, string>()
  for (const { field, message } of problems) {
    if (field !== null && !byField.has(field)) byField.set(field, message)
  }
  return byField
}
