import { IconArrowsSplit, IconCircleCheck, IconHourglass, IconUnlink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { VexBinding } from '../../../src/contract/vex-documents.ts'
import { Chip, type Tone } from '../Chip.tsx'
import { bindingWords } from './vex-words.ts'

const looks = {
  bound: { tone: 'plain', Icon: IconCircleCheck },
  waiting: { tone: 'neutral', Icon: IconHourglass },
  another_product: { tone: 'neutral', Icon: IconArrowsSplit },
  unbound: { tone: 'warn', Icon: IconUnlink },
} as const satisfies Record<VexBinding, { tone: Tone; Icon: typeof IconUnlink }>

/** Whether a statement has found what it speaks of. */
export function BindingMark({ binding }: { binding: VexBinding }): ReactNode {
  const { word, meaning } = bindingWords[binding]
  return (
    <Chip {...looks[binding]} title={meaning}>
      {word}
    </Chip>
  )
}
