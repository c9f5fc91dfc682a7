// Marks a tab that contains invalid fields.
import { IconAlertTriangle } from '@tabler/icons-react'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'

export function ProblemMark() {
  const t = useTexts(commonTexts)
  return <IconAlertTriangle size={14} aria-label={t.hasProblems} role="img" />
}
