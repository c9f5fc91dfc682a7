// Starts a text conversation.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessagePlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { conversationTexts } from './conversation-texts.ts'

export function NewConversation() {
  const t = useTexts(conversationTexts)
  const shared = useTexts(commonTexts)
  const [isOpen, { open, close }] = useDisclosure(false)
  const [agentId, setAgentId] = useState<string | null>(null)
  const { isPending, run } = useAction()
  const [, go] = useLocation()
  const start = () =>
    run(async () => {
      if (!agentId) return
      const { id } = await unwrap(api.POST('/api/conversations/start', { body: { agentId } }))
      go(`/conversations/${id}`)
    })
  return (
    <>
      <Button leftSection={<IconMessagePlus size={18} aria-hidden />} onClick={open}>
        {t.start}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t.startTitle}
        centered
        closeButtonProps={{ 'aria-label': shared.close }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void start()
          }}
        >
          <Stack>
            <Text size="sm">{t.startText}</Text>
            <AgentSelect value={agentId} onChange={setAgentId} required data-autofocus />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {shared.cancel}
              </Button>
              <Button type="submit" loading={isPending} disabled={!agentId}>
                {t.startGo}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
