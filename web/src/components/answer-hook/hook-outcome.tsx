// What an answer hook decided, in a test result and on a call's page.
import { Badge, Group, Stack, Text } from '@mantine/core'
import type { HookOutcome, TestedHook } from '../../../../client/paths.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useAgentNames } from '../agent-name.tsx'
import { NameValueList } from '../analysis-card.tsx'
import { answerHookTexts } from './answer-hook-texts.ts'

const colors: Readonly<Record<HookOutcome['status'], string>> = {
  applied: 'teal',
  empty: 'gray',
  timeout: 'yellow',
  late: 'yellow',
  failed: 'red',
  invalid: 'red',
  skipped: 'gray',
}

export function HookResult({ outcome }: { outcome: HookOutcome | TestedHook }) {
  const t = useTexts(answerHookTexts)
  const agentName = useAgentNames()
  const { status, ms, lateMs, detail, agentId, language, refuse, transferTo, variables } = outcome
  const names = Array.isArray(variables) ? variables.join(', ') : ''
  const context = 'context' in outcome ? outcome.context : outcome.hasContext && t.hasContext
  const ignored = 'ignored' in outcome ? outcome.ignored.join(', ') : ''
  const facts: [string, string | number | null | false][] = [
    [t.agent, agentId && agentName(agentId)],
    [t.language, language],
    [t.refuse, refuse && `SIP ${refuse}`],
    [t.transferTo, transferTo],
    [t.variables, names],
    [t.context, context],
    [t.ignored, ignored],
  ]
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <Badge variant="light" color={colors[status]}>
          {t.statuses[status]}
        </Badge>
        <Text size="sm" c="dimmed">
          {t.took(lateMs ?? ms)}
        </Text>
      </Group>
      {detail && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
      <NameValueList of={Object.fromEntries(facts.filter(([, value]) => value))} />
      {!Array.isArray(variables) && <NameValueList of={variables} />}
    </Stack>
  )
}
