// Today's numbers, and calls in progress.
import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Overview } from '../../../../client/paths.ts'
import { formatDuration } from '../../components/date-time.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import classes from './home.module.css'
import { homeTexts } from './home-texts.ts'

export function Stats({ overview: { callsNow, waitingCalls, today } }: { overview: Overview }) {
  const t = useTexts(homeTexts)
  const { locale } = useLanguage()
  const figure = (n: number, digits = 0) => n.toLocaleString(locale, { maximumFractionDigits: digits })
  const share = today.calls > 0 ? today.answered / today.calls : null
  const response = today.medianResponseMs
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <Paper withBorder p="md" component={Link} href="/live" className={classes.cardLink}>
        <Group gap={6} wrap="nowrap">
          <Text size="sm" c="dimmed">
            {t.now}
          </Text>
        </Group>
        <Text
          className="numbers"
          fz={28}
          fw={650}
          lh={1.3}
          {...(callsNow > 0 ? { c: 'var(--mantine-primary-color-light-color)' } : {})}
        >
          {figure(callsNow)}
        </Text>
        <Text size="xs" c="dimmed">
          {waitingCalls > 0 ? t.waiting(waitingCalls) : t.watchLive}
        </Text>
      </Paper>
      <Stat
        name={t.calls}
        value={figure(today.calls)}
        {...(today.failed > 0 ? { about: t.failed(today.failed) } : {})}
      />
      <Stat
        name={t.answered}
        value={figure(today.answered)}
        {...(share === null
          ? {}
          : { about: t.ofCalls(share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })) })}
      />
      <Stat name={t.minutes} value={figure(today.minutes, today.minutes < 10 ? 1 : 0)} />
      <Stat name={t.average} value={formatDuration(today.averageSeconds)} />
      <Stat
        name={t.response}
        value={response === null ? '–' : `${figure(response / 1000, 1)} s`}
        about={t.responseHint}
      />
    </SimpleGrid>
  )
}

function Stat({ name, value, about }: { name: string; value: string; about?: string }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text className="numbers" fz={28} fw={650} lh={1.3}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {about ?? '\u00a0'}
      </Text>
    </Paper>
  )
}
