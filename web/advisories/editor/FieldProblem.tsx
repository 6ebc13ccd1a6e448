import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { useProblem } from './fields.ts'

/** A problem with a part of the draft that is not a single control. */
export function FieldProblem({ field }: { field: string }): ReactNode {
  const problem = useProblem(field)
  return problem === undefined ? null : (
    <Input.Error>
      <Foreign>{problem}</Foreign>
    </Input.Error>
  )
}
