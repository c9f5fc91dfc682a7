// What the calling rules decided, line by line.
import { List } from '@mantine/core'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { decisionLines } from './decision.ts'
import { decisionTexts } from './decision-texts.ts'

export function DecisionList({ decision }: { decision: Record<string, unknown> | null }) {
  const t = useTexts(decisionTexts)
  const { locale } = useLanguage()
  const lines = decisionLines(decision, t, locale)
  if (lines.length === 0) return null
  return (
    <List size="sm" c="dimmed" spacing={2} styles={{ itemWrapper: { overflowWrap: 'anywhere' } }}>
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}
