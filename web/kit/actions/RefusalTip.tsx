import { Tooltip } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { useState, type PointerEvent, type ReactElement, type ReactNode } from 'react'

type Props = {
  /** Undefined: what it is about is not refused. */
  reason: string | undefined
  children: ReactElement
}

/** Why an act is refused, beside its control: under a mouse, on the focus of a keyboard, and from one tap to the next. */
export function RefusalTip({ reason, children }: Props): ReactNode {
  const [isTapped, setTapped] = useState(false)
  const around = useClickOutside<HTMLSpanElement>(() => {
    setTapped(false)
  })
  const tap = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') setTapped((before) => !before)
  }
  return (
    <span ref={around} style={{ display: 'contents' }} onPointerUp={tap}>
      <Tooltip
        label={reason}
        disabled={reason === undefined}
        events={{ hover: true, focus: true, touch: false }}
        {...(isTapped ? { opened: true } : {})}
      >
        {children}
      </Tooltip>
    </span>
  )
}
