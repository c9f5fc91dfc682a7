// What the agent says while a tool runs: one sentence per line, or JSON for conditions and timing.
import { Button, Group, JsonInput, SimpleGrid, Text, Textarea } from '@mantine/core'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type MessageDraft, type MessageKind, messageDraft, messageKinds, messageOf, pretty } from './tool-form.ts'
import { toolFormTexts } from './tool-form-texts.ts'
import type { ToolFormProps } from './tool-request.tsx'

export function ToolMessages({ draft, set, problems }: ToolFormProps) {
  const t = useTexts(toolFormTexts)
  return (
    <Section title={t.messages} about={t.messagesAbout}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {messageKinds.map((kind) => (
          <MessageInput
            key={kind}
            kind={kind}
            message={draft.messages[kind]}
            onChange={(message) => set({ messages: { ...draft.messages, [kind]: message } })}
            error={problems.includes(`message.${kind}`) ? t.messageWrong : undefined}
          />
        ))}
      </SimpleGrid>
    </Section>
  )
}

function MessageInput({
  kind,
  message,
  onChange,
  error,
}: {
  kind: MessageKind
  message: MessageDraft
  onChange: (message: MessageDraft) => void
  error: string | undefined
}) {
  const t = useTexts(toolFormTexts)
  const { name, hint } = t.message[kind]
  const plain = messageDraft(messageOf(message))
  // JSON that contains only texts can be edited as texts again.
  const mayBePlain = message.isJson && !plain.isJson
  const toggle = () => onChange(message.isJson ? plain : { isJson: true, text: pretty(messageOf(message)) })
  const button = (!message.isJson || mayBePlain) && (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      onClick={toggle}
      aria-label={`${name}: ${t.asJson}`}
      aria-pressed={message.isJson}
    >
      {t.asJson}
    </Button>
  )
  const shared = { autosize: true, minRows: 2, maxRows: 10, error, value: message.text, 'aria-label': name }
  return (
    <div>
      <Group justify="space-between" mb={4} mih={24}>
        <Text size="sm" fw={500} aria-hidden>
          {name}
        </Text>
        {button}
      </Group>
      {message.isJson ? (
        <JsonInput
          {...shared}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onChange={(text) => onChange({ isJson: true, text })}
        />
      ) : (
        <Textarea
          {...shared}
          placeholder={hint}
          onChange={(event) => onChange({ isJson: false, text: event.currentTarget.value })}
        />
      )}
    </div>
  )
}
