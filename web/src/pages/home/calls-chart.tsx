// Calls per day as a bar chart or an accessible table.
import { Box, Button, Group, Table, Text } from '@mantine/core'
import { useToggle } from '@mantine/hooks'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { barsOf, type Day } from './calls-chart-layout.ts'
import classes from './home.module.css'
import { homeTexts } from './home-texts.ts'

export function CallsChart({ days }: { days: readonly Day[] }) {
  const t = useTexts(homeTexts)
  const { locale } = useLanguage()
  const [shape, toggle] = useToggle(['chart', 'table'] as const)
  const sum = (of: (day: Day) => number) => days.reduce((all, day) => all + of(day), 0)
  const total = sum(({ calls }) => calls)
  const figure = (n: number) => n.toLocaleString(locale)
  const summary = total === 0 ? t.noneYet : t.chart(figure(total), figure(sum(({ answered }) => answered)))
  return (
    <Section
      title={t.days}
      about={summary}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={() => toggle()} aria-pressed={shape === 'table'}>
          {shape === 'chart' ? t.asTable : t.asChart}
        </Button>
      }
    >
      {shape === 'chart' ? <Bars days={days} summary={summary} /> : <Figures days={days} />}
    </Section>
  )
}

/** Noon UTC, so that the date is the same in every time zone. */
const dayAt = (date: string) => new Date(`${date}T12:00:00Z`)

function Bars({ days, summary }: { days: readonly Day[]; summary: string }) {
  const t = useTexts(homeTexts)
  const { locale } = useLanguage()
  const { bars, top } = barsOf(days)
  const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', timeZone: 'UTC' })
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (
    <Box>
      <Group gap="xs" wrap="nowrap" align="stretch">
        <Text component="div" size="xs" c="dimmed" className={`${classes.tops} numbers`} aria-hidden>
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{value.toLocaleString(locale)}</span>
          ))}
        </Text>
        <Box flex={1}>
          <div className={classes.plot}>
            <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={summary}>
              <line className={classes.line} x1="0" x2="100" y1="0" y2="0" />
              <line className={classes.line} x1="0" x2="100" y1="50" y2="50" />
              {bars.map(({ date, x, width, allHeight, answeredHeight, calls, answered }) => (
                <g key={date} className={classes.day}>
                  <title>{`${long.format(dayAt(date))}: ${t.dayCalls} ${calls}, ${t.answered} ${answered}`}</title>
                  <rect x={x} y={0} width={width} height={100} fill="transparent" />
                  <rect className={classes.all} x={x} y={100 - allHeight} width={width} height={allHeight} />
                  <rect
                    className={classes.answered}
                    x={x}
                    y={100 - answeredHeight}
                    width={width}
                    height={answeredHeight}
                  />
                </g>
              ))}
            </svg>
          </div>
          <Text component="div" size="xs" c="dimmed" mt={4} className={`${classes.names} numbers`} aria-hidden>
            {bars.map(({ date, isNamed }) => (
              <span key={date}>{isNamed ? short.format(dayAt(date)) : ''}</span>
            ))}
          </Text>
        </Box>
      </Group>
      <Group gap="md" mt="sm" justify="center">
        <Text size="xs">
          <svg className={classes.swatch} viewBox="0 0 1 1" aria-hidden="true">
            <rect className={classes.answered} width="1" height="1" />
          </svg>
          {t.answered}
        </Text>
        <Text size="xs">
          <svg className={classes.swatch} viewBox="0 0 1 1" aria-hidden="true">
            <rect className={classes.all} width="1" height="1" />
          </svg>
          {t.notAnswered}
        </Text>
      </Group>
    </Box>
  )
}

function Figures({ days }: { days: readonly Day[] }) {
  const t = useTexts(homeTexts)
  const { locale } = useLanguage()
  const name = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (
    <Table.ScrollContainer minWidth={280} mah={280}>
      <Table className="numbers" verticalSpacing={4} stickyHeader aria-label={t.days}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.day}</Table.Th>
            <Table.Th ta="right">{t.dayCalls}</Table.Th>
            <Table.Th ta="right">{t.answered}</Table.Th>
            <Table.Th ta="right">{t.minutes}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ date, calls, answered, minutes }) => (
            <Table.Tr key={date}>
              <Table.Td>{name.format(dayAt(date))}</Table.Td>
              <Table.Td ta="right">{calls.toLocaleString(locale)}</Table.Td>
              <Table.Td ta="right">{answered.toLocaleString(locale)}</Table.Td>
              <Table.Td ta="right">{minutes.toLocaleString(locale, { maximumFractionDigits: 0 })}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
