// The response time of one turn in a narrow panel: a full-width stacked bar with a legend below.
import { Group, Paper, Text } from '@mantine/core'
import type { Turn } from '../../../client/paths.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import styles from './waterfall.module.css'
import { useFormatMs } from './waterfall.tsx'
import { barsOf, percent, totalMs } from './waterfall-geometry.ts'
import { waterfallTexts } from './waterfall-texts.ts'

export function TurnStack({ turn, number }: { turn: Turn; number: number }) {
  const t = useTexts(waterfallTexts)
  const ms = useFormatMs()
  const bars = barsOf(turn.latency)
  const maxMs = bars.reduce((sum, bar) => sum + bar.ms, 0)
  return (
    <Paper withBorder p="sm" component="section" aria-label={t.title}>
      <Group justify="space-between" mb={6}>
        <Text size="sm">
          {t.title} · {t.turn(number)}
        </Text>
        <Text size="sm" fw={600} className="numbers">
          {ms(totalMs(turn.latency))}
        </Text>
      </Group>
      <div className={styles.track} aria-hidden>
        {bars.map(({ stage, fromMs, ms: stageMs }) => (
          <span
            key={stage}
            className={`${styles.bar} ${styles[stage]}`}
            style={{ left: `${percent(fromMs, { maxMs })}%`, width: `${percent(stageMs, { maxMs })}%` }}
          />
        ))}
      </div>
      <Group gap="xs" component="ul" p={0} m={0} mt={6} style={{ listStyle: 'none' }}>
        {bars.map((bar) => (
          <Group key={bar.stage} gap={6} component="li" wrap="nowrap" title={t.means[bar.stage]}>
            <span className={`${styles.swatch} ${styles[bar.stage]}`} aria-hidden />
            <Text size="xs">{t.stage[bar.stage]}</Text>
            <Text size="xs" c="dimmed" className="numbers">
              {ms(bar.ms)}
            </Text>
          </Group>
        ))}
      </Group>
    </Paper>
  )
}
