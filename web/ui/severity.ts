import {
  IconAlertCircleFilled,
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconCircleMinus,
  IconHelpCircle,
  IconInfoCircle,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Severity } from '../../src/contract/sbom.ts'

type Look = { word: string; color: string; Icon: TablerIcon }

/** Each severity has one colour, one icon and one word everywhere. */
export const severityLooks: Record<Severity, Look> = {
  critical: { word: 'Critical', color: 'var(--severity-critical)', Icon: IconAlertOctagonFilled },
  high: { word: 'High', color: 'var(--severity-high)', Icon: IconAlertTriangleFilled },
  medium: { word: 'Medium', color: 'var(--severity-medium)', Icon: IconAlertCircleFilled },
  low: { word: 'Low', color: 'var(--severity-low)', Icon: IconInfoCircle },
  none: { word: 'None', color: 'var(--severity-none)', Icon: IconCircleMinus },
  unknown: { word: 'Unknown', color: 'var(--severity-none)', Icon: IconHelpCircle },
}
