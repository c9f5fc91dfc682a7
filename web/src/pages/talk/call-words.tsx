// The live transcript of a call in progress.
import { Text, Title } from '@mantine/core'
import { Transcript } from '../../components/transcript.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { TalkState } from './talk-state.ts'
import { talkTexts } from './talk-texts.ts'

type Props = { state: TalkState; agentName: string; height: number | string; hasTitle: boolean }

export function CallWords({ state, agentName, height, hasTitle }: Props) {
  const t = useTexts(talkTexts)
  return (
    <section aria-label={t.transcript}>
      {hasTitle && (
        <Title order={2} size="h4" mb="sm">
          {t.transcript}
        </Title>
      )}
      <Transcript
        isLive
        entries={state.entries}
        live={state.live}
        agentName={agentName}
        callerName={t.you}
        height={height}
        empty={
          <Text c="dimmed" size="sm" ta="center" py="md">
            {t.nothingYet}
          </Text>
        }
      />
    </section>
  )
}
