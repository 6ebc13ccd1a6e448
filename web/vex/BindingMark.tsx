import { IconArrowsSplit, IconCircleCheck, IconHourglass, IconUnlink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { VexBinding } from '#contract/vex/documents.ts'
import { StatusChip, type Look } from '../kit/text/Chip.tsx'
import { bindingWords } from './vex-words.ts'

const looks: Record<VexBinding, Pick<Look, 'tone' | 'Icon'>> = {
  bound: { tone: 'plain', Icon: IconCircleCheck },
  waiting: { tone: 'neutral', Icon: IconHourglass },
  another_product: { tone: 'neutral', Icon: IconArrowsSplit },
  unbound: { tone: 'warn', Icon: IconUnlink },
}

/** Whether a statement has bound to its object. */
export function BindingMark({ binding }: { binding: VexBinding }): ReactNode {
  const { word, meaning } = bindingWords[binding]
  return <StatusChip {...looks[binding]} word={word} title={meaning} />
}
