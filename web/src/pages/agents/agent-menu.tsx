// The ⋯ menu of an agent's page: its calls and conversations, copy id, duplicate, delete.
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconCopy, IconHash, IconMessage, IconPhone, IconTrash } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useLocation } from 'wouter'
import type { Agent } from '../../../../client/paths.ts'
import { ActionMenu, type MenuEntry } from '../../components/action-menu.tsx'
import { removalTexts } from '../../components/removal-texts.ts'
import { useDuplicate } from '../../components/use-duplicate.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { lazyComponent } from '../../lazy-component.ts'
import { agentTexts } from './agent-texts.ts'

const RemoveAgent = lazyComponent(() => import('../../components/remove-agent.tsx'), 'RemoveAgent')

export function AgentMenu({ agent }: { agent: Agent }) {
  const t = { ...useTexts(commonTexts), ...useTexts(removalTexts), ...useTexts(agentTexts) }
  const [, go] = useLocation()
  const duplicate = useDuplicate('agents')
  const [isRemoving, { open, close }] = useDisclosure(false)
  const copyId = async () => {
    await navigator.clipboard.writeText(agent.id)
    notifications.show({ message: t.copied, color: 'ramal' })
  }
  const entries = (): MenuEntry[] => [
    { label: t.itsCalls, icon: <IconPhone size={16} aria-hidden />, href: `/calls?agent=${agent.id}` },
    {
      label: t.itsConversations,
      icon: <IconMessage size={16} aria-hidden />,
      href: `/conversations?agent=${agent.id}`,
    },
    { label: t.copyId, icon: <IconHash size={16} aria-hidden />, onClick: () => void copyId() },
    { label: t.duplicate, icon: <IconCopy size={16} aria-hidden />, onClick: () => void duplicate(agent) },
    { label: t.removeAgent, icon: <IconTrash size={16} aria-hidden />, isDangerous: true, onClick: open },
  ]
  return (
    <>
      <ActionMenu label={t.moreActions} entries={entries} size={42} />
      {isRemoving && (
        <Suspense>
          <RemoveAgent agent={agent} onClose={close} onRemoved={() => go('/agents')} />
        </Suspense>
      )}
    </>
  )
}
