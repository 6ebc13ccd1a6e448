import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Refusal } from '../actions/ActionButton.tsx'
import { Form } from './Form.tsx'
import type { FormState } from './use-send-form.ts'

type Props = { state: FormState; verb: string; refused: Refusal; children: ReactNode }

/** A form of settings that everybody reads; whoever may not change them reads why. */
export function AllowedForm({ state, verb, refused, children }: Props): ReactNode {
  return (
    <fieldset disabled={refused !== undefined} style={{ margin: 0, padding: 0, border: 0, maxWidth: 860 }}>
      <Form state={state} verb={verb} ready={refused === undefined}>
        {refused === undefined ? null : <Text c="dimmed">{refused}</Text>}
        {children}
      </Form>
    </fieldset>
  )
}
