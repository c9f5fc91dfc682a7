// Lets an operator speak through the agent of a live call.
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconSpeakerphone } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../api.ts'
import { useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { liveTexts } from './live-texts.ts'

export function OperatorSay({ callId }: { callId: string }) {
  const t = useTexts(liveTexts)
  const { isPending, run } = useAction()
  const [text, setText] = useState('')
  const [isUrgent, setUrgent] = useState(true)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const body = { text: text.trim(), interrupt: isUrgent }
      const { status } = await unwrap(api.POST('/api/calls/{id}/say', { params: { path: { id: callId } }, body }))
      notifications.show({ message: t[status], color: 'ramal' })
      setText('')
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            label={t.say}
            description={t.sayHint}
            placeholder={t.sayPlaceholder}
            maxLength={1000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="light"
            loading={isPending}
            disabled={text.trim() === ''}
            leftSection={<IconSpeakerphone size={18} aria-hidden />}
          >
            {t.sayGo}
          </Button>
        </Group>
        <Checkbox
          size="xs"
          label={t.interrupt}
          checked={isUrgent}
          onChange={(event) => setUrgent(event.currentTarget.checked)}
        />
      </Stack>
    </form>
  )
}
