// The decision of the calling rules, line by line; a single line in the short form.
import { List, Text } from '@mantine/core'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { packOf } from '../calling-rules/pack.ts'
import { useRulePacks } from '../calling-rules/rule-packs.ts'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { decisionLines } from './decision.ts'
import { decisionTexts } from './decision-texts.ts'

export function DecisionList({
  decision,
  isShort = false,
}: {
  decision: Record<string, unknown> | null
  isShort?: boolean
}) {
  const words = useTexts(decisionTexts)
  const { outcomes } = useTexts(campaignStateTexts)
  const { locale } = useLanguage()
  const packs = useRulePacks()
  const used = packs.data?.find(({ id }) => id === (decision?.rulesId ?? decision?.pack))
  const lines = decisionLines(decision, { words, outcomes, locale, pack: used ? packOf(used) : null }, isShort)
  if (lines.length === 0) return null
  if (isShort)
    return (
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {lines.join(' · ')}
      </Text>
    )
  return (
    <List size="sm" c="dimmed" spacing={2} styles={{ itemWrapper: { overflowWrap: 'anywhere' } }}>
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}
