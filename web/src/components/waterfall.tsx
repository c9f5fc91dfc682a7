// Response times as a waterfall: one row per turn, its stages when opened.
import {
  Badge,
  Collapse,
  Group,
  Paper,
  Stack,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { Turn } from '../../../client/paths.ts'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import styles from './waterfall.module.css'
import {
  barsOf,
  type Latency,
  mediansOf,
  paceOf,
  percent,
  type Scale,
  type Stage,
  scaleOf,
  stages,
  totalMs,
} from './waterfall-geometry.ts'
import { waterfallTexts } from './waterfall-texts.ts'

const paceColor = { quick: 'teal', fair: 'yellow', slow: 'red' } as const

export const useFormatMs = (): ((ms: number | null) => string) => {
  const { locale } = useLanguage()
  return (ms) => (ms === null ? '–' : `${Math.round(ms).toLocaleString(locale)} ms`)
}

type Props = {
  turns: readonly Turn[]
  /** Keeps the last turn expanded until the user expands or collapses one. */
  isLastOpen?: boolean
}

export function Waterfall({ turns, isLastOpen = false }: Props) {
  const t = useTexts(waterfallTexts)
  const measured = turns.filter((turn) => totalMs(turn.latency) !== null)
  const scale = scaleOf(measured.map((turn) => turn.latency))
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.title}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h4">
              {t.title}
            </Title>
            <Text size="sm" c="dimmed">
              {t.about}
            </Text>
          </div>
          <Summary turns={measured} />
        </Group>
        {measured.length === 0 ? (
          <Text size="sm" c="dimmed" py="md">
            {t.none}
          </Text>
        ) : (
          <>
            <Legend latencies={measured.map((turn) => turn.latency)} />
            <Axis scale={scale} />
            <ol className={styles.rows}>
              {measured.map((turn, i) => (
                <TurnRow
                  key={turn.number}
                  // Numbered from 1 without the greeting, a turn that is not measured.
                  number={i + 1}
                  turn={turn}
                  scale={scale}
                  isFirstOpen={isLastOpen && turn === measured.at(-1)}
                />
              ))}
            </ol>
          </>
        )}
      </Stack>
    </Paper>
  )
}

function Summary({ turns }: { turns: readonly Turn[] }) {
  const t = useTexts(waterfallTexts)
  const ms = useFormatMs()
  const { total } = mediansOf(turns.map((turn) => turn.latency))
  if (total === null) return null
  const pace = paceOf(total)
  return (
    <Stack gap={0} align="flex-end">
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t.median}
        </Text>
        <Text fw={700} size="xl" className="numbers">
          {ms(total)}
        </Text>
        <Badge variant="light" color={paceColor[pace]}>
          {t.pace[pace]}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed">
        {t.turns(turns.length)}
      </Text>
    </Stack>
  )
}

/** The colors of the stages, with their median durations. */
function Legend({ latencies }: { latencies: readonly Latency[] }) {
  const t = useTexts(waterfallTexts)
  const ms = useFormatMs()
  const medians = mediansOf(latencies).stages
  return (
    <Group gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {stages.map((stage) => (
        <Tooltip key={stage} label={t.means[stage]}>
          <Group gap={6} component="li" wrap="nowrap">
            <span className={`${styles.swatch} ${styles[stage]}`} aria-hidden />
            <Text size="xs">{t.stage[stage]}</Text>
            <Text size="xs" c="dimmed" className="numbers">
              {ms(medians[stage])}
            </Text>
          </Group>
        </Tooltip>
      ))}
    </Group>
  )
}

function Axis({ scale }: { scale: Scale }) {
  const { locale } = useLanguage()
  return (
    <div className={styles.head} style={{ padding: '0 4px' }} aria-hidden>
      <span />
      <Text component="div" c="dimmed" className={`${styles.axis} numbers`}>
        {scale.ticks.map((tick) => (
          <span key={tick} style={{ left: `${percent(tick, scale)}%` }}>
            {tick === 0 ? '0' : `${(tick / 1000).toLocaleString(locale)} s`}
          </span>
        ))}
      </Text>
    </div>
  )
}

function TurnRow({
  turn,
  number,
  scale,
  isFirstOpen,
}: {
  turn: Turn
  number: number
  scale: Scale
  isFirstOpen: boolean
}) {
  const t = useTexts(waterfallTexts)
  const ms = useFormatMs()
  const id = useId()
  const [chosen, choose] = useState<boolean | null>(null)
  const isOpen = chosen ?? isFirstOpen
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const bars = barsOf(turn.latency)
  return (
    <li className={styles.row}>
      <UnstyledButton className={styles.head} aria-expanded={isOpen} aria-controls={id} onClick={() => choose(!isOpen)}>
        <Text size="sm" fw={500}>
          {t.turn(number)}
        </Text>
        <span className={styles.track} aria-hidden>
          {bars.map((bar) => (
            <StageBar key={bar.stage} {...bar} scale={scale} />
          ))}
        </span>
        <Text size="sm" ta="right" className="numbers" fw={600}>
          {ms(totalMs(turn.latency))}
        </Text>
        <Chevron size={16} aria-hidden />
        <VisuallyHidden>{bars.map((bar) => `${t.stage[bar.stage]} ${ms(bar.ms)}`).join(', ')}</VisuallyHidden>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap={8} pb="md" pt={4} px={4}>
          {turn.caller && (
            <Text size="sm" c="dimmed" lineClamp={2}>
              “{turn.caller}”{' '}
              {turn.isCut && (
                <Badge size="xs" variant="default">
                  {t.cut}
                </Badge>
              )}
            </Text>
          )}
          {bars.map((bar) => (
            <div key={bar.stage} className={styles.stage}>
              <Group gap={6} wrap="nowrap">
                <span className={`${styles.swatch} ${styles[bar.stage]}`} aria-hidden />
                <Text size="xs" truncate>
                  {t.stage[bar.stage]}
                </Text>
              </Group>
              <span className={`${styles.track} ${styles.thin}`} aria-hidden>
                <StageBar {...bar} scale={scale} />
              </span>
              <Text size="xs" ta="right" c="dimmed" className="numbers">
                {ms(bar.ms)}
              </Text>
            </div>
          ))}
          <ServedBy turn={turn} />
        </Stack>
      </Collapse>
    </li>
  )
}

/** The providers of this turn; renders nothing for calls recorded before providers were stored. */
function ServedBy({ turn: { providers } }: { turn: Turn }) {
  const t = useTexts(waterfallTexts)
  const parts = (['stt', 'llm', 'tts'] as const).flatMap((kind) => {
    const served = providers?.[kind]
    if (!served) return []
    const name = served.id === 'embedded' ? t.builtIn : served.name
    return [`${t.by[kind]}: ${name}${served.model ? ` (${served.model})` : ''}`]
  })
  if (parts.length === 0) return null
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {parts.join(' · ')}
    </Text>
  )
}

const StageBar = ({ stage, fromMs, ms, scale }: { stage: Stage; fromMs: number; ms: number; scale: Scale }) => (
  <span
    className={`${styles.bar} ${styles[stage]}`}
    style={{ left: `${percent(fromMs, scale)}%`, width: `${percent(ms, scale)}%` }}
  />
)
