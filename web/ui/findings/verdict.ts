import {
  IconCircleCheck,
  IconCircleCheckFilled,
  IconEyeSearch,
  IconTargetArrow,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Justification, Verdict } from '../../../src/contract/vex.ts'
import type { Tone } from '../Chip.tsx'

type Look = { word: string; tone: Tone; Icon: TablerIcon; meaning: string }

/** Each verdict has one colour, one icon and one word everywhere. */
export const verdictLooks: Record<Verdict, Look> = {
  affected: {
    word: 'Affected',
    tone: 'bad',
    Icon: IconTargetArrow,
    meaning: 'The vulnerability can be used against the product: something has to be done.',
  },
  under_investigation: {
    word: 'Under investigation',
    tone: 'triage',
    Icon: IconEyeSearch,
    meaning: 'It is not known yet whether the product is affected; someone is looking.',
  },
  not_affected: {
    word: 'Not affected',
    tone: 'good',
    Icon: IconCircleCheck,
    meaning: 'The vulnerability cannot be used against the product: nothing has to be done.',
  },
  fixed: {
    word: 'Fixed',
    tone: 'good',
    Icon: IconCircleCheckFilled,
    meaning: 'The product contains a fix, although the version of the component does not show it.',
  },
}

/** In the order in which they are offered: from what asks for work to what ends it. */
export const offeredVerdicts = Object.keys(verdictLooks) as Verdict[]

/** The CISA labels in plain words. */
export const justificationWords: Record<Justification, { name: string; meaning: string }> = {
  component_not_present: {
    name: 'The component is not in the product',
    meaning: 'The SBOM lists it, but what is delivered does not contain it.',
  },
  vulnerable_code_not_present: {
    name: 'The vulnerable code is not in it',
    meaning: 'The component is there, but it is built or packaged without the part that is vulnerable.',
  },
  vulnerable_code_not_in_execute_path: {
    name: 'The vulnerable code never runs',
    meaning: 'The code is there, but the product never calls it.',
  },
  vulnerable_code_cannot_be_controlled_by_adversary: {
    name: 'An attacker cannot steer it',
    meaning: 'The code runs, but nothing an attacker can send reaches it in a harmful way.',
  },
  inline_mitigations_already_exist: {
    name: 'A built-in protection stops it',
    meaning: 'The product itself contains a protection that nobody can switch off or go around.',
  },
}
