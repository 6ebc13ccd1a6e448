import {
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconCircleMinus,
  IconHelpCircle,
  IconInfoCircle,
  IconSquareRotatedFilled,
  type TablerIcon,
} from '@tabler/icons-react'
import { severities, type Severity } from '#contract/severities.ts'

type Look = {
  word: string
  /** Text colour, dark enough to read. */
  color: string
  /** Icon colour, may be brighter than text. */
  sign: string
  Icon: TablerIcon
}

/** Each severity has the same colour, icon and word everywhere. Icons differ in outline, so they work without colour and at small size. */
export const severityLooks: Record<Severity, Look> = {
  critical: {
    word: 'Critical',
    color: 'var(--severity-critical)',
    sign: 'var(--sign-critical)',
    Icon: IconAlertOctagonFilled,
  },
  high: {
    word: 'High',
    color: 'var(--severity-high)',
    sign: 'var(--sign-high)',
    Icon: IconAlertTriangleFilled,
  },
  medium: {
    word: 'Medium',
    color: 'var(--severity-medium)',
    sign: 'var(--sign-medium)',
    Icon: IconSquareRotatedFilled,
  },
  low: { word: 'Low', color: 'var(--severity-low)', sign: 'var(--sign-low)', Icon: IconInfoCircle },
  none: { word: 'None', color: 'var(--severity-none)', sign: 'var(--sign-none)', Icon: IconCircleMinus },
  unknown: { word: 'Unknown', color: 'var(--severity-none)', sign: 'var(--sign-none)', Icon: IconHelpCircle },
}

/** To choose from. */
export const severityChoices = severities.map((value) => ({ value, label: severityLooks[value].word }))
