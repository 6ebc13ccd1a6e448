import { useAct } from '../../kit/api/use-act.ts'
import type { Send } from '../../kit/api/use-send.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'

type Act<Input> = { send: (input: Input) => Promise<unknown>; done: string; closes: () => void }

/** An act from a dialog of an incident page: sends once, shows a message and closes the dialog. */
export function useIncidentAct<Input>({ send, done, closes }: Act<Input>): Send<Input> {
  const { slug } = useWorkspace()
  return useAct<Input>({ slug, send, done: () => done, closes })
}
