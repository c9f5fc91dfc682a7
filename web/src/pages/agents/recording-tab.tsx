// Recording, voicemail and post-call analysis.
import { Button, Radio, Stack, Switch, Textarea } from '@mantine/core'
import { hiddenLabel } from '../../components/hidden-label.ts'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { Draft } from './agent-draft.ts'
import { type AgentFormProps, useEditorField, useField } from './agent-form.ts'
import { ObjectInput } from './agent-inputs.tsx'
import { agentSettingsTexts } from './agent-settings-texts.ts'
import { PromptEditor } from './editor/prompt-editor.tsx'

const actions = ['ignore', 'hangup', 'message'] as const

const exampleFields = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Full name of the caller' },
    phone: { type: 'string', description: 'Telephone number' },
    wantsCallback: { type: 'boolean' },
  },
}

export function RecordingTab(part: AgentFormProps) {
  const t = useTexts(agentSettingsTexts)
  const field = useField(part)
  const editor = useEditorField(part)
  const { draft, change } = part
  return (
    <Stack gap="lg">
      <Section title={t.recording}>
        <Switch
          label={t.isRecorded}
          description={t.isRecordedHint}
          checked={draft.isRecorded}
          onChange={(event) => change({ isRecorded: event.currentTarget.checked })}
        />
        {draft.isRecorded && (
          <Textarea
            label={t.consent}
            description={t.consentHint}
            placeholder={t.consentExample}
            autosize
            minRows={1}
            maxLength={2000}
            {...field('consentNotice')}
          />
        )}
      </Section>

      <Section title={t.voicemail} about={t.voicemailAbout}>
        <Radio.Group
          label={t.voicemail}
          styles={hiddenLabel}
          value={draft.voicemailAction}
          onChange={(chosen) => change({ voicemailAction: chosen as Draft['voicemailAction'] })}
        >
          <Stack gap="xs">
            {actions.map((value) => (
              <Radio key={value} value={value} label={t[value]} />
            ))}
          </Stack>
        </Radio.Group>
        {draft.voicemailAction === 'message' && (
          <PromptEditor
            {...editor('voicemailMessage')}
            label={t.voicemailMessage}
            description={t.voicemailHint}
            isRequired
            maxLength={2000}
          />
        )}
      </Section>

      <Section title={t.analysis} about={t.analysisAbout}>
        <Switch
          label={t.summary}
          checked={draft.wantsSummary}
          onChange={(event) => change({ wantsSummary: event.currentTarget.checked })}
        />
        <Textarea
          label={t.success}
          description={t.successHint}
          autosize
          minRows={1}
          maxLength={2000}
          {...field('success')}
        />
        <ObjectInput of={part} name="fields" label={t.fields} description={t.fieldsHint} />
        {draft.fields.trim() === '' && (
          <div>
            <Button
              variant="default"
              size="xs"
              onClick={() => change({ fields: JSON.stringify(exampleFields, null, 2) })}
            >
              {t.example}
            </Button>
          </div>
        )}
      </Section>
    </Stack>
  )
}
