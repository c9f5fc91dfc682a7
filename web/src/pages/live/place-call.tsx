// Has an agent call a number.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPhoneOutgoing } from '@tabler/icons-react'
import { api, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { liveTexts } from './live-texts.ts'

/** Strips spaces, dots, dashes and parentheses. */
export const bareNumber = (text: string) => text.replace(/[\s().-]/g, '')

export function PlaceCall({
  isOpen,
  close,
  placed,
}: {
  isOpen: boolean
  close: () => void
  placed: (id: string) => void
}) {
  const t = useTexts(liveTexts)
  const shared = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const form = useForm({
    initialValues: { agentId: null as string | null, number: '' },
    validate: {
      agentId: (id) => (id ? null : t.needed),
      number: (number) => (/^\+[1-9]\d{5,14}$/.test(bareNumber(number)) ? null : t.numberWrong),
    },
  })
  const place = form.onSubmit(({ agentId, number }) =>
    run(
      async () => {
        const body = { agentId: agentId ?? '', toNumber: bareNumber(number) }
        const { callId } = await unwrap(api.POST('/api/calls/outbound', { body }))
        form.reset()
        placed(callId)
      },
      { success: t.placed, stale: ['/api/calls', '/api/overview'] },
    ),
  )
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t.placeTitle}
      centered
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <form onSubmit={place} noValidate>
        <Stack>
          <Text size="sm">{t.placeText}</Text>
          <AgentSelect
            required
            value={form.values.agentId}
            error={form.errors.agentId}
            onChange={(agentId) => form.setFieldValue('agentId', agentId)}
          />
          <TextInput
            label={t.number}
            description={t.numberHint}
            type="tel"
            autoComplete="off"
            required
            data-autofocus
            {...form.getInputProps('number')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={isPending} leftSection={<IconPhoneOutgoing size={18} aria-hidden />}>
              {t.placeGo}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
