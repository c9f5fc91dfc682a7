// Two sets of answers, side by side and turn by turn.
import { Badge, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Rehearsal } from '../../../../client/paths.ts'
import { useFormatMs } from '../../components/waterfall.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'

type Compared = NonNullable<Rehearsal['comparison']>[number]

export function ComparisonList({ turns, names }: { turns: readonly Compared[]; names: readonly [string, string] }) {
  const t = useTexts(rehearsalsTexts)
  return (
    <Stack gap="sm" component="ol" m={0} p={0}>
      {turns.map((turn) => (
        <Paper
          key={turn.turn}
          withBorder
          p="sm"
          component="li"
          style={{ listStyle: 'none' }}
          data-same={turn.isSame ? 'yes' : 'no'}
        >
          <Group justify="space-between" gap="xs" mb="xs" align="flex-start" wrap="nowrap">
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {turn.caller ?? t.noCaller}
            </Text>
            <Badge variant="light" color={turn.isSame ? 'teal' : 'orange'} tt="none" style={{ flexShrink: 0 }}>
              {turn.isSame ? t.same : t.alike(Math.round(turn.similarity * 100))}
            </Badge>
          </Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <Answer name={names[0]} text={turn.before} tookMs={turn.beforeMs} />
            <Answer name={names[1]} text={turn.after} tookMs={turn.afterMs} />
          </SimpleGrid>
        </Paper>
      ))}
    </Stack>
  )
}

function Answer({ name, text, tookMs }: { name: string; text: string | null; tookMs: number | null }) {
  const t = useTexts(rehearsalsTexts)
  const ms = useFormatMs()
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
        {tookMs !== null && ` · ${ms(tookMs)}`}
      </Text>
      <Text size="sm" c={text === null ? 'dimmed' : undefined} style={{ overflowWrap: 'anywhere' }}>
        {text ?? t.gone}
      </Text>
    </div>
  )
}
