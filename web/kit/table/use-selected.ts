import { useCallback, useState } from 'react'

const nothing: ReadonlySet<string> = new Set()

type Chosen = { of: string; ids: ReadonlySet<string> }

export type Selected = {
  selected: ReadonlySet<string>
  onSelect: (next: ReadonlySet<string>) => void
  clear: () => void
}

/**
 * Rows selected in a list. Only selected rows the person can see may be acted on, so another list starts empty; `of` identifies the list.
 */
export function useSelected(of: string): Selected {
  const [chosen, setChosen] = useState<Chosen>({ of, ids: nothing })
  const onSelect = useCallback(
    (ids: ReadonlySet<string>) => {
      setChosen({ of, ids })
    },
    [of],
  )
  const clear = useCallback(() => {
    onSelect(nothing)
  }, [onSelect])
  return { selected: chosen.of === of ? chosen.ids : nothing, onSelect, clear }
}
