// Today in four figures, each with a sparkline of the last two weeks and the change against yesterday.
import { Paper, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react'
import type { Overview } from '../../../../client/paths.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { type Change, type Figure, figuresOf, sparkline } from './figures.ts'
import { figuresTexts } from './figures-texts.ts'
import classes from './home.module.css'

export function Tiles({ overview }: { overview: Overview }) {
  const t = useTexts(figuresTexts)
  return (
    <Paper withBorder component="section" aria-label={t.today} className={classes.tiles}>
      {figuresOf(overview).map((figure) => (
        <Tile key={figure.name} figure={figure} />
      ))}
    </Paper>
  )
}

function Tile({ figure: { name, value, change, series } }: { figure: Figure }) {
  const t = useTexts(figuresTexts)
  const { locale } = useLanguage()
  const number = (n: number, digits: number) => n.toLocaleString(locale, { maximumFractionDigits: digits })
  const shown = (n: number) =>
    name === 'answered'
      ? n.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })
      : name === 'response'
        ? `${number(n / 1000, n < 10_000 ? 2 : 1)} s`
        : number(n, name === 'minutes' && n < 10 ? 1 : 0)
  return (
    <div className={classes.tile} data-figure={name}>
      <Text size="sm" c="dimmed" fw={500}>
        {t[name]}
      </Text>
      <div className={classes.figure}>
        <span className={`${classes.value} numbers`}>{value === null ? '–' : shown(value)}</span>
        <Spark series={series} />
      </div>
      <Text size="xs" c="dimmed" component="div">
        {value === null ? t.hint[name] : <ChangeText change={change} />}
      </Text>
    </div>
  )
}

function ChangeText({ change }: { change: Change | null }) {
  const t = useTexts(figuresTexts)
  const { locale } = useLanguage()
  if (change === null) return t.noComparison
  const { by, unit, tone } = change
  if (by === 0)
    return (
      <span className={classes.change}>
        <IconEqual size={14} aria-hidden /> {t.same}
      </span>
    )
  const size = Math.abs(by)
  const number = (n: number, digits: number) => n.toLocaleString(locale, { maximumFractionDigits: digits })
  const text = {
    share: () => size.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 }),
    points: () => `${number(size * 100, 0)} ${t.points}`,
    ms: () => (size < 1000 ? `${number(size, 0)} ms` : `${number(size / 1000, 1)} s`),
  }[unit]()
  const Arrow = by > 0 ? IconArrowUpRight : IconArrowDownRight
  return (
    <span className={classes.change}>
      <span className={`${classes[tone]} numbers`}>
        <Arrow size={14} aria-hidden />
        <VisuallyHidden>{by > 0 ? t.up : t.down} </VisuallyHidden>
        {text}
      </span>{' '}
      {t.versus}
    </span>
  )
}

const [WIDTH, HEIGHT] = [88, 26]

/** Decorative: the chart below has the numbers. */
function Spark({ series }: { series: readonly (number | null)[] }) {
  const points = sparkline(series, WIDTH, HEIGHT)
  const last = points.at(-1)
  if (!last) return null
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ')
  return (
    <svg className={classes.spark} viewBox={`-3 -3 ${WIDTH + 6} ${HEIGHT + 6}`} aria-hidden="true">
      <polygon points={`${points[0]?.x},${HEIGHT + 3} ${line} ${last.x},${HEIGHT + 3}`} />
      <polyline points={line} />
      <circle cx={last.x} cy={last.y} r="2.6" />
    </svg>
  )
}
