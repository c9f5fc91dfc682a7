// A campaign's outcomes: attempts by hour as bars or as a table, and the totals.
import { Box, Button, Group, Stack, Table, Text, Tooltip } from '@mantine/core'
import { useToggle } from '@mantine/hooks'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { CampaignProgress } from '../../../../client/paths.ts'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { nextBar, niceTicks } from '../home/calls-chart-layout.ts'
import classes from './campaign.module.css'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { type ChartGroup, countOf, groupCount, groupNames, outcomes } from './campaign-states.ts'
import { campaignTexts } from './campaign-texts.ts'
import { type Hour, type HourBar, hourBars, lastHours, totalOf } from './outcomes-layout.ts'

export function OutcomesChart({ progress }: { progress: CampaignProgress }) {
  const t = useTexts(campaignTexts)
  const { locale } = useLanguage()
  const [shape, toggle] = useToggle(['chart', 'table'] as const)
  const total = outcomes.reduce((sum, outcome) => sum + countOf(progress.outcomes, outcome), 0)
  const hours = lastHours(progress.hours)
  const about = total === 0 ? t.noOutcomes : t.outcomesAbout(total.toLocaleString(locale), total === 1)
  const isChart = shape === 'chart'
  return (
    <Section
      title={t.outcomes}
      about={about}
      isForAll
      actions={
        total > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => toggle()} aria-pressed={!isChart}>
            {isChart ? t.asTable : t.asChart}
          </Button>
        )
      }
    >
      {total > 0 && (
        <Stack gap="lg">
          {hours.length > 0 &&
            (isChart ? (
              <Box>
                <Plot hours={hours} />
                <Legend progress={progress} />
              </Box>
            ) : (
              <HourTable hours={hours} />
            ))}
          <Totals progress={progress} total={total} />
        </Stack>
      )}
    </Section>
  )
}

const hourText = (at: string, locale: string) =>
  new Date(at).toLocaleString(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit' })

function Plot({ hours }: { hours: readonly Hour[] }) {
  const t = useTexts(campaignTexts)
  const { locale } = useLanguage()
  const ticks = niceTicks(Math.max(0, ...hours.map(totalOf)))
  const top = ticks.at(-1) ?? 1
  const bars = hourBars(hours, top)
  const [focused, setFocused] = useState<number | null>(null)
  const current = Math.min(focused ?? bars.length - 1, bars.length - 1)
  const list = useRef<HTMLUListElement>(null)
  const move = (event: KeyboardEvent) => {
    const next = nextBar(event.key, current, bars.length)
    if (next === null) return
    event.preventDefault()
    setFocused(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className={classes.chart}>
      <div className={classes.scale} aria-hidden>
        {ticks.map((tick) => (
          <div key={tick} className={classes.tick} style={{ bottom: `${(tick / top) * 100}%` }}>
            <span className="numbers">{tick.toLocaleString(locale)}</span>
          </div>
        ))}
      </div>
      <ul ref={list} className={classes.bars} aria-label={`${t.byHour}. ${t.byHourHint}`} onKeyDown={move}>
        {bars.map((bar, i) => (
          <li key={bar.at}>
            <OneHour bar={bar} isReachable={i === current} onFocus={() => setFocused(i)} />
          </li>
        ))}
      </ul>
      <div className={`${classes.names} numbers`} aria-hidden>
        {bars.map(({ at, isLabeled }) => (
          <span key={at}>
            {isLabeled && new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })}
          </span>
        ))}
      </div>
    </div>
  )
}

function OneHour({ bar, isReachable, onFocus }: { bar: HourBar; isReachable: boolean; onFocus: () => void }) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const { locale } = useLanguage()
  const total = t.attemptCount(bar.total.toLocaleString(locale), bar.total === 1)
  const parts = bar.segments.map(({ group, count }) => `${s.groups[group]}: ${count.toLocaleString(locale)}`)
  const label = [hourText(bar.at, locale), total, ...parts].join(', ')
  return (
    <Tooltip label={label} multiline maw={260} events={{ hover: true, focus: true, touch: true }}>
      <Box
        component="button"
        type="button"
        className={classes.bar}
        bg="none"
        bd="none"
        p={0}
        tabIndex={isReachable ? 0 : -1}
        onFocus={onFocus}
        aria-label={label}
      >
        <span className={classes.stack}>
          {bar.segments.map(({ group, from, height }) => (
            <span
              key={group}
              className={classes.segment}
              data-group={group}
              style={{ bottom: `${from}%`, height: `${height}%` }}
            />
          ))}
        </span>
      </Box>
    </Tooltip>
  )
}

function Legend({ progress }: { progress: CampaignProgress }) {
  const s = useTexts(campaignStateTexts)
  const { locale } = useLanguage()
  return (
    <Group gap="lg" mt={4} style={{ rowGap: 4 }}>
      {groupNames.map((group: ChartGroup) => (
        <Group key={group} gap={7} wrap="nowrap">
          <span className={classes.swatch} data-group={group} aria-hidden />
          <Text size="sm" c="dimmed">
            {s.groups[group]}
          </Text>
          <Text size="sm" fw={600} className="numbers">
            {groupCount(progress.outcomes, group).toLocaleString(locale)}
          </Text>
        </Group>
      ))}
    </Group>
  )
}

function HourTable({ hours }: { hours: readonly Hour[] }) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const { locale } = useLanguage()
  return (
    <Table.ScrollContainer
      minWidth={480}
      mah={320}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t.byHour } }}
    >
      <Table className="numbers" verticalSpacing={5} stickyHeader aria-label={t.byHour}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.hour}</Table.Th>
            <Table.Th ta="right">{t.total}</Table.Th>
            {groupNames.map((group) => (
              <Table.Th key={group} ta="right">
                {s.groups[group]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {hours.toReversed().map((hour) => (
            <Table.Tr key={hour.at}>
              <Table.Td>{hourText(hour.at, locale)}</Table.Td>
              <Table.Td ta="right">{totalOf(hour).toLocaleString(locale)}</Table.Td>
              {groupNames.map((group) => (
                <Table.Td key={group} ta="right">
                  {groupCount(hour.outcomes, group).toLocaleString(locale)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Totals({ progress, total }: { progress: CampaignProgress; total: number }) {
  const s = useTexts(campaignStateTexts)
  const { locale } = useLanguage()
  const most = Math.max(1, ...outcomes.map((outcome) => countOf(progress.outcomes, outcome)))
  return (
    <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {outcomes
        .map((outcome) => ({ outcome, count: countOf(progress.outcomes, outcome) }))
        .filter(({ count }) => count > 0)
        .map(({ outcome, count }) => (
          <li key={outcome} className={classes.outcome}>
            <Text size="sm">{s.outcomes[outcome]}</Text>
            <div aria-hidden className={classes.outcomeBar} style={{ width: `${(count / most) * 100}%` }} />
            <Text size="sm" ta="right" className="numbers">
              {count.toLocaleString(locale)}{' '}
              <Text span size="xs" c="dimmed">
                {(count / total).toLocaleString(locale, { style: 'percent' })}
              </Text>
            </Text>
          </li>
        ))}
    </Stack>
  )
}
