import {
  IconCircleCheck,
  IconCircleCheckFilled,
  IconEyeSearch,
  IconTargetArrow,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Justification, Verdict } from '#contract/vex/shapes.ts'
import { knownKeys } from '#contract/known-keys.ts'
import type { Tone } from '../kit/text/Chip.tsx'

type Look = { word: string; tone: Tone; Icon: TablerIcon; meaning: string }

/** Each verdict has the same colour, icon and word everywhere. */
export const verdictLooks: Record<Verdict, Look> = {
  affected: {
    word: 'Affected',
    tone: 'bad',
    Icon: IconTargetArrow,
    meaning: 'The vulnerability can be exploited in the product; action is needed.',
  },
  under_investigation: {
    word: 'Under investigation',
    tone: 'triage',
    Icon: IconEyeSearch,
    meaning: 'It is not yet known whether the product is affected; someone is investigating.',
  },
  not_affected: {
    word: 'Not affected',
    tone: 'good',
    Icon: IconCircleCheck,
    meaning: 'The vulnerability cannot be exploited in the product; no action is needed.',
  },
  fixed: {
    word: 'Fixed',
    tone: 'good',
    Icon: IconCircleCheckFilled,
    meaning: 'The product contains a fix, even if the component’s version does not show it.',
  },
}

/** In the order offered: from those that need work to those that end it. */
export const offeredVerdicts = knownKeys(verdictLooks)

/** The CISA justification labels in plain words. */
export const justificationWords: Record<Justification, { name: string; meaning: string }> = {
  component_not_present: {
    name: 'The component is not in the product',
    meaning: 'The SBOM lists it, but the delivered product does not contain it.',
  },
  vulnerable_code_not_present: {
    name: 'The vulnerable code is not present',
    meaning: 'The component is present, but it was built or packaged without the vulnerable part.',
  },
  vulnerable_code_not_in_execute_path: {
    name: 'The vulnerable code is never executed',
    meaning: 'The code is present, but the product never calls it.',
  },
  vulnerable_code_cannot_be_controlled_by_adversary: {
    name: 'An attacker cannot control it',
    meaning: 'The code runs, but no input from an attacker can reach it in a harmful way.',
  },
  inline_mitigations_already_exist: {
    name: 'A built-in protection prevents it',
    meaning: 'The product itself contains a protection that cannot be turned off or bypassed.',
  },
}
