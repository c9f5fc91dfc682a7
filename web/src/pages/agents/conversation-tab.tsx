// Turn-taking, barge-in, silence and call end.
import { SimpleGrid, Stack, Switch, TagsInput } from '@mantine/core'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { TurnName } from './agent-draft.ts'
import type { AgentFormProps } from './agent-form.ts'
import { OptionalNumberInput } from './agent-inputs.tsx'
import { agentSettingsTexts } from './agent-settings-texts.ts'

/** Defaults of the conversation engine (docs/conversation.md). */
const figures = {
  minPauseMs: { usual: 400, min: 0, max: 10_000, step: 50, unit: 'ms', scale: 1 },
  maxPauseMs: { usual: 2500, min: 0, max: 30_000, step: 100, unit: 'ms', scale: 1 },
  interruptAfterMs: { usual: 900, min: 0, max: 10_000, step: 50, unit: 'ms', scale: 1 },
  interruptAfterWords: { usual: 2, min: 0, max: 100, step: 1, unit: 'words', scale: 1 },
  idleReminderMs: { usual: 8000, min: 0, max: 600_000, step: 1, unit: 'seconds', scale: 1000 },
  silenceHangupMs: { usual: 30_000, min: 1000, max: 3_600_000, step: 5, unit: 'seconds', scale: 1000 },
  maxDurationMs: { usual: 1_800_000, min: 60_000, max: 43_200_000, step: 5, unit: 'minutes', scale: 60_000 },
} as const satisfies Record<TurnName, object>

export function ConversationTab(part: AgentFormProps) {
  const t = useTexts(agentSettingsTexts)
  const { draft, change } = part
  return (
    <Stack gap="lg">
      <Section title={t.turns} about={t.turnsAbout}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TurnNumber part={part} name="minPauseMs" hint={t.minPauseMsHint} />
          <TurnNumber part={part} name="maxPauseMs" hint={t.maxPauseMsHint} />
        </SimpleGrid>
        <Switch
          label={t.interruptible}
          description={t.interruptibleHint}
          checked={draft.interruptible}
          onChange={(event) => change({ interruptible: event.currentTarget.checked })}
        />
        {draft.interruptible && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TurnNumber part={part} name="interruptAfterMs" hint={t.interruptAfterMsHint} />
            <TurnNumber part={part} name="interruptAfterWords" hint={t.interruptAfterWordsHint} />
          </SimpleGrid>
        )}
        <Switch
          label={t.speculate}
          description={t.speculateHint}
          checked={draft.speculate}
          onChange={(event) => change({ speculate: event.currentTarget.checked })}
        />
        <Switch
          label={t.collects}
          description={t.collectsHint}
          checked={draft.collects}
          onChange={(event) => change({ collects: event.currentTarget.checked })}
        />
      </Section>

      <Section title={t.ending}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TurnNumber part={part} name="idleReminderMs" />
          <TurnNumber part={part} name="silenceHangupMs" />
          <TurnNumber part={part} name="maxDurationMs" />
        </SimpleGrid>
        <TagsInput
          label={t.endPhrases}
          description={t.endPhrasesHint}
          maxTags={100}
          value={[...draft.endPhrases]}
          onChange={(endPhrases) => change({ endPhrases })}
        />
      </Section>
    </Stack>
  )
}

function TurnNumber({ part: { draft, change }, name, hint }: { part: AgentFormProps; name: TurnName; hint?: string }) {
  const t = useTexts(agentSettingsTexts)
  const { usual, min, max, step, unit, scale } = figures[name]
  return (
    <OptionalNumberInput
      label={t[name]}
      {...(hint ? { description: hint } : {})}
      suffix={t[unit]}
      usual={usual}
      scale={scale}
      min={min / scale}
      max={max / scale}
      step={step}
      allowDecimal={false}
      value={draft.turn[name]}
      onValue={(value) => change({ turn: { ...draft.turn, [name]: value } })}
    />
  )
}
