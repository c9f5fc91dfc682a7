// Removes an agent. If it has calls or conversations, they are deleted too and the user must type its name; otherwise
// it can be undone.
import { Button, Group, List, Loader, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconCopy, IconMicrophone, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import type { AgentContents } from '../../../client/paths.ts'
import { api, queries, unwrap } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { ActionMenu, type MenuEntry } from './action-menu.tsx'
import { ErrorMessage } from './query-states.tsx'
import { removalTexts } from './removal-texts.ts'
import { useAction } from './use-action.tsx'
import { useDuplicate } from './use-duplicate.ts'
import { useRemoval } from './use-removal.tsx'

type Named = { id: string; name: string }
const stale = ['/api/agents', '/api/did', '/api/calls', '/api/conversations', '/api/overview', '/api/gateway']

/** The confirmation dialog. `onRemoved` runs once the agent is deleted or hidden. */
export function RemoveAgent({
  agent,
  onClose,
  onRemoved,
}: {
  agent: Named
  onClose: () => void
  onRemoved?: () => void
}) {
  const t = useTexts(removalTexts)
  const c = useTexts(commonTexts)
  const remove = useRemoval()
  const contents = queries.useQuery(
    'get',
    '/api/agents/{id}/contents',
    { params: { path: { id: agent.id } } },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const undoably = () => {
    remove([agent], { pathOf: (id) => `/api/agents/${id}`, stale })
    onRemoved?.()
    onClose()
  }
  const isEmpty = contents.data && contents.data.calls + contents.data.conversations === 0
  return (
    <Modal opened onClose={onClose} title={t.agentQuestion(agent.name)} closeButtonProps={{ 'aria-label': c.close }}>
      {contents.error ? (
        <ErrorMessage error={contents.error} retry={contents.refetch} />
      ) : !contents.data ? (
        <Loader size="sm" />
      ) : isEmpty ? (
        <Stack>
          <NumbersStay contents={contents.data} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button color="red.9" data-autofocus onClick={undoably}>
              {t.removeAgent}
            </Button>
          </Group>
        </Stack>
      ) : (
        <ByName agent={agent} contents={contents.data} onClose={onClose} onRemoved={onRemoved} />
      )}
    </Modal>
  )
}

function NumbersStay({ contents: { phoneNumbers } }: { contents: AgentContents }) {
  const t = useTexts(removalTexts)
  const { locale } = useLanguage()
  if (phoneNumbers === 0) return null
  return <Text size="sm">{t.numbersStay(phoneNumbers.toLocaleString(locale), phoneNumbers === 1)}</Text>
}

function ByName({
  agent: { id, name },
  contents,
  onClose,
  onRemoved,
}: {
  agent: Named
  contents: AgentContents
  onClose: () => void
  onRemoved: (() => void) | undefined
}) {
  const t = useTexts(removalTexts)
  const c = useTexts(commonTexts)
  const { locale } = useLanguage()
  const { isPending, run } = useAction()
  const [typed, setTyped] = useState('')
  const isSame = typed.trim() === name.trim()
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isSame) return
    // Close before the lists are refetched: the agent's calls and conversations can no longer be counted.
    const task = async () => {
      await unwrap(api.DELETE('/api/agents/{id}', { params: { path: { id } } }))
      flushSync(() => {
        onRemoved?.()
        onClose()
      })
    }
    await run(task, { success: t.removedOne(name), stale })
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <div>
          <Text size="sm">{t.agentTakes}</Text>
          <List size="sm" mt={4}>
            {(['calls', 'recordings', 'conversations'] as const)
              .filter((key) => contents[key] > 0)
              .map((key) => (
                <List.Item key={key}>{t[key](contents[key].toLocaleString(locale), contents[key] === 1)}</List.Item>
              ))}
          </List>
        </div>
        <NumbersStay contents={contents} />
        <TextInput
          label={t.typeName(name)}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {c.cancel}
          </Button>
          <Button type="submit" color="red.9" disabled={!isSame} loading={isPending}>
            {t.removeForGood}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The menu entries of an agent, for its row and its page, and the dialog they open. */
export function useAgentMenu(onRemoved?: () => void) {
  const t = useTexts(removalTexts)
  const duplicate = useDuplicate('agents')
  const [removing, setRemoving] = useState<Named | null>(null)
  const entriesOf = (agent: Named): MenuEntry[] => [
    { label: t.duplicate, icon: <IconCopy size={16} aria-hidden />, onClick: () => void duplicate(agent) },
    {
      label: t.removeAgent,
      icon: <IconTrash size={16} aria-hidden />,
      isDangerous: true,
      onClick: () => setRemoving(agent),
    },
  ]
  const talkTo = ({ id }: Named): MenuEntry => ({
    label: t.talk,
    icon: <IconMicrophone size={16} aria-hidden />,
    href: `/agents/${id}/talk`,
  })
  const dialog = removing && (
    <RemoveAgent agent={removing} onClose={() => setRemoving(null)} {...(onRemoved ? { onRemoved } : {})} />
  )
  return { entriesOf, talkTo, dialog }
}

/** The ⋯ menu of an agent's page: duplicate, delete. */
export function AgentMenu({ agent }: { agent: Named }) {
  const t = useTexts(removalTexts)
  const [, go] = useLocation()
  const { entriesOf, dialog } = useAgentMenu(() => go('/agents'))
  return (
    <>
      <ActionMenu label={t.more} entries={() => entriesOf(agent)} size={36} />
      {dialog}
    </>
  )
}
