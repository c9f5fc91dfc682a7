// The progress of a suite of rehearsals.
import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Section } from '../../components/section.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'
import { type SuiteItem, suite, useSuite } from './suite.ts'

const tones: Readonly<Record<SuiteItem['state'], Tone>> = {
  waiting: 'off',
  notStarted: 'off',
  running: 'busy',
  passed: 'good',
  failed: 'bad',
  error: 'warn',
}

export function SuitePanel() {
  const t = useTexts(rehearsalsTexts)
  const c = useTexts(commonTexts)
  const current = useSuite()
  if (!current) return null
  const { items, isRunning } = current
  const done = items.filter(({ state }) => !['waiting', 'running'].includes(state)).length
  const passed = items.filter(({ state }) => state === 'passed').length
  const word = (state: SuiteItem['state']) =>
    state === 'waiting' ? t.waiting : state === 'notStarted' ? t.notStarted : t.status[state]
  return (
    <Section
      title={t.suite}
      about={isRunning ? t.suiteHint : t.suiteResult(passed, items.length)}
      actions={
        isRunning ? (
          <Button size="xs" color="red" variant="light" onClick={() => suite.stop()}>
            {t.stop}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => suite.close()}>
            {c.close}
          </Button>
        )
      }
    >
      <div>
        <Progress
          value={(100 * done) / Math.max(1, items.length)}
          color={items.some(({ state }) => state === 'failed') ? 'red' : 'teal'}
          aria-label={t.suiteProgress(done, items.length)}
        />
        <Text size="xs" c="dimmed" mt={4} role="status">
          {t.suiteProgress(done, items.length)}
        </Text>
      </div>
      <Stack gap={6} component="ul" m={0} p={0}>
        {items.map(({ scriptId, name, state, runId }) => (
          <Group key={scriptId} component="li" justify="space-between" gap="sm" style={{ listStyle: 'none' }}>
            <Anchor
              component={Link}
              href={runId ? `/rehearsals/runs/${runId}` : `/rehearsals/${scriptId}`}
              size="sm"
              c="var(--mantine-color-text)"
            >
              {name}
            </Anchor>
            <StatusBadge tone={tones[state]} word={word(state)} />
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
