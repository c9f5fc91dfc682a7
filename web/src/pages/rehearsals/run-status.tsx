// The status of a rehearsal run, with the number of passed and failed checks.
import { Group, Text } from '@mantine/core'
import type { ListedRehearsal } from '../../../../client/paths.ts'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'

const tones: Readonly<Record<ListedRehearsal['status'], Tone>> = {
  running: 'busy',
  passed: 'good',
  failed: 'bad',
  error: 'warn',
}

export function RunStatus({ run }: { run: Pick<ListedRehearsal, 'status' | 'checksPassed' | 'checksFailed'> }) {
  const t = useTexts(rehearsalsTexts)
  const all = run.checksPassed + run.checksFailed
  return (
    <Group gap={6} component="span" display="inline-flex">
      <StatusBadge tone={tones[run.status]} word={t.status[run.status]} />
      {all > 0 && (
        <Text span size="xs" c="dimmed">
          {t.checks(run.checksPassed, all)}
        </Text>
      )}
    </Group>
  )
}
