// Calls of the last week by outcome next to the week before: as bars that link to each day's calls, or as a table of
// two weeks.
import { Anchor, Button, Group, Table, Text, Tooltip } from '@mantine/core'
import { useToggle } from '@mantine/hooks'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { type Outcome, outcomes } from '../../colors.ts'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { type Bar, barsOf, callsHref, countOf, type Day, nextBar, weekChange, weekOf } from './calls-chart-layout.ts'
import { figuresTexts } from './figures-texts.ts'
import classes from './home.module.css'

export function CallsChart({ days }: { days: readonly Day[] }) {
  const t = useTexts(figuresTexts)
  const { locale } = useLanguage()
  const [shape, toggle] = useToggle(['chart', 'table'] as const)
  const week = weekOf(days)
  const sum = (of: (day: Day) => number) => week.reduce((all, day) => all + of(day), 0)
  const total = sum(({ calls }) => calls)
  const figure = (n: number) => n.toLocaleString(locale)
  const counts = total === 0 ? t.noneYet : t.chart(figure(total), figure(sum(({ answered }) => answered)))
  const change = weekChange(days)
  const share = Math.abs(change ?? 0).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })
  const summary = change === null ? counts : `${counts} · ${t.weekChange(share, change)}`
  return (
    <Section
      title={t.days}
      about={summary}
      actions={
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => toggle()}
          aria-pressed={shape === 'table'}
        >
          {shape === 'chart' ? t.asTable : t.asChart}
        </Button>
      }
    >
      {shape === 'chart' ? (
        <>
          <Plot days={days} />
          <Legend days={week} />
        </>
      ) : (
        <Figures days={days} />
      )}
    </Section>
  )
}

/** Noon UTC, so that the date is the same in almost every time zone. */
const dayAt = (date: string) => new Date(`${date}T12:00:00Z`)

function Plot({ days }: { days: readonly Day[] }) {
  const t = useTexts(figuresTexts)
  const { locale } = useLanguage()
  const { bars, ticks } = barsOf(days)
  const top = ticks.at(-1) ?? 1
  const [current, setCurrent] = useState(bars.length - 1)
  const list = useRef<HTMLUListElement>(null)
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', timeZone: 'UTC' })
  const move = (event: KeyboardEvent) => {
    const next = nextBar(event.key, current, bars.length)
    if (next === null) return
    event.preventDefault()
    setCurrent(next)
    list.current?.querySelectorAll('a')[next]?.focus()
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
      <ul ref={list} className={classes.bars} aria-label={`${t.days}. ${t.chartHint}`} onKeyDown={move}>
        {bars.map((bar, i) => (
          <li key={bar.day.date}>
            <DayBar bar={bar} isReachable={i === current} onFocus={() => setCurrent(i)} />
          </li>
        ))}
      </ul>
      <div className={`${classes.names} numbers`} aria-hidden>
        {bars.map(({ day, isToday }) => (
          <span key={day.date}>
            <b>{isToday ? t.today : weekday.format(dayAt(day.date))}</b>
            {date.format(dayAt(day.date))}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Roving focus: one bar is a Tab stop, arrow keys reach the others. */
function DayBar({
  bar: { day, segments, height, before, isToday },
  isReachable,
  onFocus,
}: {
  bar: Bar
  isReachable: boolean
  onFocus: () => void
}) {
  const t = useTexts(figuresTexts)
  const { locale } = useLanguage()
  const name = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const date = name.format(dayAt(day.date))
  const total = t.dayCalls(day.calls.toLocaleString(locale), day.calls === 1)
  const parts = segments.map(({ outcome, count }) => `${t.outcome[outcome]}: ${count.toLocaleString(locale)}`)
  const weekBefore = before && `${t.weekBefore}: ${before.calls.toLocaleString(locale)}`
  const tip = (
    <div className={classes.tip}>
      <b>{date}</b>
      <span>{total}</span>
      {segments.toReversed().map(({ outcome, count }) => (
        <span key={outcome} className={classes.tipRow}>
          <Swatch outcome={outcome} />
          {t.outcome[outcome]}
          <span className="numbers">{count.toLocaleString(locale)}</span>
        </span>
      ))}
      {weekBefore && <span>{weekBefore}</span>}
    </div>
  )
  return (
    <Tooltip
      label={tip}
      events={{ hover: true, focus: true, touch: true }}
      position="top"
      transitionProps={{ duration: 0 }}
    >
      <Link
        href={callsHref(day.date, day.date)}
        className={classes.bar}
        tabIndex={isReachable ? 0 : -1}
        onFocus={onFocus}
        aria-label={[date, total, ...parts, weekBefore].filter(Boolean).join(', ')}
      >
        <span className={classes.stack} data-today={isToday || undefined}>
          {segments.map(({ outcome, from, height }) => (
            <span
              key={outcome}
              className={classes.segment}
              data-outcome={outcome}
              style={{ bottom: `${from}%`, height: `${height}%` }}
            />
          ))}
        </span>
        {before && <span className={classes.before} style={{ bottom: `${before.height}%` }} />}
        <span className={`${classes.count} numbers`} style={{ bottom: `${height}%` }}>
          {day.calls.toLocaleString(locale)}
        </span>
      </Link>
    </Tooltip>
  )
}

const Swatch = ({ outcome }: { outcome: Outcome }) => (
  <span className={classes.swatch} data-outcome={outcome} aria-hidden />
)

/** The outcomes that occur, each linking to its calls. */
function Legend({ days }: { days: readonly Day[] }) {
  const t = useTexts(figuresTexts)
  const { locale } = useLanguage()
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? '']
  const counts = outcomes.map((outcome) => ({
    outcome,
    count: days.reduce((sum, day) => sum + countOf(day, outcome), 0),
  }))
  return (
    <Group gap="lg" mt={4} style={{ rowGap: 4 }}>
      {counts.map(({ outcome, count }) => (
        <Anchor
          key={outcome}
          component={Link}
          href={callsHref(first, last, outcome)}
          size="sm"
          c="dimmed"
          underline="hover"
          className={classes.legend}
        >
          <Swatch outcome={outcome} />
          {t.outcome[outcome]}
          <Text span size="sm" fw={600} c="var(--mantine-color-text)" className="numbers">
            {count.toLocaleString(locale)}
          </Text>
        </Anchor>
      ))}
      <Text size="sm" c="dimmed" className={classes.legend}>
        <span className={classes.dash} aria-hidden />
        {t.weekBefore}
      </Text>
    </Group>
  )
}

function Figures({ days }: { days: readonly Day[] }) {
  const t = useTexts(figuresTexts)
  const { locale } = useLanguage()
  const name = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (
    <Table.ScrollContainer minWidth={480} mah={320}>
      <Table className="numbers" verticalSpacing={5} stickyHeader aria-label={t.days}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.day}</Table.Th>
            <Table.Th ta="right">{t.total}</Table.Th>
            {outcomes.map((outcome) => (
              <Table.Th key={outcome} ta="right">
                {t.outcome[outcome]}
              </Table.Th>
            ))}
            <Table.Th ta="right">{t.minutes}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Td>
                <Anchor component={Link} href={callsHref(day.date, day.date)} size="sm">
                  {name.format(dayAt(day.date))}
                </Anchor>
              </Table.Td>
              <Table.Td ta="right">{day.calls.toLocaleString(locale)}</Table.Td>
              {outcomes.map((outcome) => (
                <Table.Td key={outcome} ta="right">
                  {countOf(day, outcome).toLocaleString(locale)}
                </Table.Td>
              ))}
              <Table.Td ta="right">{day.minutes.toLocaleString(locale, { maximumFractionDigits: 0 })}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
