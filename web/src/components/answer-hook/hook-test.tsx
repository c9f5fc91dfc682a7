// The answer hook test: queries the hook with a sample call and shows the response and its time.
import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import type { TestedHook } from '../../../../client/paths.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useAction } from '../use-action.tsx'
import { answerHookTexts } from './answer-hook-texts.ts'
import { HookResult } from './hook-outcome.tsx'

export function HookTest({
  isSaved,
  tested,
  ask,
}: {
  /** Only a saved hook can be tested. */
  isSaved: boolean
  tested: TestedHook | null
  ask: (caller: string | null) => Promise<void>
}) {
  const t = useTexts(answerHookTexts)
  const { isPending, run } = useAction()
  const [caller, setCaller] = useState('')
  return (
    <Paper withBorder p="sm">
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap" gap="sm">
          <TextInput
            style={{ flex: 1 }}
            label={t.testCaller}
            type="tel"
            placeholder="+5511987654321"
            maxLength={64}
            value={caller}
            onChange={(event) => setCaller(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={!isSaved}
            loading={isPending}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            onClick={() => void run(() => ask(caller.trim() || null))}
          >
            {t.test}
          </Button>
        </Group>
        {!isSaved && (
          <Text size="sm" c="dimmed">
            {t.testFirst}
          </Text>
        )}
        {isSaved && tested && <HookResult outcome={tested} />}
      </Stack>
    </Paper>
  )
}
