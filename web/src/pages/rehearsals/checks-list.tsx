// The checks of a run: passed, failed with what happened instead, or still open.
import { Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconDots, IconX } from '@tabler/icons-react'
import type { Rehearsal } from '../../../../client/paths.ts'
import { useFormatMs } from '../../components/waterfall.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { endReasonTexts } from '../calls/end-reason-texts.ts'
import { type CheckState, checkState } from './check-state.ts'
import { actualText, expectationText } from './check-text.ts'
import type { Script } from './script-form.ts'
import { scriptTexts } from './script-texts.ts'

const looks = {
  passed: { color: 'teal', Icon: IconCheck },
  failed: { color: 'red', Icon: IconX },
  open: { color: 'gray', Icon: IconDots },
} as const satisfies Record<CheckState, unknown>

export function CheckIcon({ state }: { state: CheckState }) {
  const t = useTexts(scriptTexts)
  const { color, Icon } = looks[state]
  return (
    <ThemeIcon size={22} radius="xl" color={color} variant="light" role="img" aria-label={t.state[state]}>
      <Icon size={14} stroke={2.4} aria-hidden />
    </ThemeIcon>
  )
}

/** Texts of a run's checks, in the run's order. Runs from before scripts were stored show the server's own text. */
export function useCheckTexts() {
  const t = useTexts(scriptTexts)
  const reasons = useTexts(endReasonTexts) as Readonly<Record<string, { short: string }>>
  const ms = useFormatMs()
  const formats = {
    ms: (value: number) => ms(value) ?? '',
    reason: (reason: string) => reasons[reason]?.short ?? reason,
  }
  return (run: Rehearsal, script: Script | null) => {
    const isRunning = run.status === 'running'
    const expect = script?.expect ?? []
    const count = Math.max(expect.length, run.checks.length)
    return Array.from({ length: count }, (_, i) => {
      const [check, expected] = [run.checks[i], expect[i]]
      const state = checkState(check, expected, isRunning)
      return {
        state: !isRunning && run.status === 'error' && !check ? ('open' as const) : state,
        text: expected ? expectationText(expected, t, formats) : (check?.text ?? ''),
        actual: state !== 'failed' ? null : expected ? actualText(expected, run, t, formats) : (check?.detail ?? null),
      }
    })
  }
}

export function ChecksList({ run, script }: { run: Rehearsal; script: Script | null }) {
  const t = useTexts(scriptTexts)
  const checks = useCheckTexts()(run, script)
  if (checks.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.noExpect}
      </Text>
    )
  return (
    <Stack gap="sm" component="ul" m={0} p={0} aria-label={t.expect}>
      {checks.map(({ state, text, actual }, i) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: checks keep their order
          key={i}
          component="li"
          gap="sm"
          wrap="nowrap"
          align="flex-start"
          style={{ listStyle: 'none' }}
          data-state={state}
        >
          <CheckIcon state={state} />
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={state === 'failed' ? 600 : 400} style={{ overflowWrap: 'anywhere' }}>
              {text}
            </Text>
            {actual && (
              <Text size="xs" c="dimmed" lineClamp={6} style={{ overflowWrap: 'anywhere' }}>
                {actual}
              </Text>
            )}
          </div>
        </Group>
      ))}
    </Stack>
  )
}
