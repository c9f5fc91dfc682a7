// Why a call failed to start, or how it ended.
import { Alert, Button, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useTexts } from '../../i18n/language-provider.tsx'
import { endReasonTexts } from '../calls/end-reason-texts.ts'
import { endReasonText, isProblem } from '../calls/end-reasons.ts'
import type { TalkState } from './talk-state.ts'
import { talkTexts } from './talk-texts.ts'

export function CallOutcome({ state, write }: { state: TalkState; write: () => void }) {
  const t = useTexts(talkTexts)
  const reasons = useTexts(endReasonTexts)
  // The user is the caller here: the call list's texts would not make clear who hung up.
  const own: Readonly<Record<string, string>> = { caller_hangup: t.youHungUp, canceled_by_api: t.operatorHungUp }
  const reason = endReasonText(reasons, state.endReason)
  return (
    <>
      {state.problem && (
        <Alert color="red" role="alert" w="100%">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{state.problem}</Text>
            <Button size="xs" variant="default" onClick={write}>
              {t.writeInstead}
            </Button>
          </Stack>
        </Alert>
      )}
      {reason && (
        <Text size="sm" ta="center" c={isProblem(state.endReason) ? 'red' : 'dimmed'}>
          {isProblem(state.endReason) ? (reason.means ?? reason.short) : (own[state.endReason ?? ''] ?? reason.short)}
        </Text>
      )}
      {state.callId && (
        <Button component={Link} href={`/calls/${state.callId}`} variant="light" radius="xl">
          {t.openCall}
        </Button>
      )}
    </>
  )
}
