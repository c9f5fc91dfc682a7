// An agent's tools.
import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'wouter'
import { api, queries, unwrap } from '../../api.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { NewTool } from '../tools/new-tool.tsx'
import { toolsTexts } from '../tools/tools-texts.ts'
import type { AgentFormProps } from './agent-form.ts'
import { connectionsTexts } from './connections-texts.ts'
import { AddLink, LinkList } from './link-list.tsx'

const stale = ['/api/agents', '/api/tools']

export function ToolsTab({ agent }: AgentFormProps) {
  const t = useTexts(connectionsTexts)
  const { types } = useTexts(toolsTexts)
  const { isPending, run } = useAction()
  const [isOpen, { open, close }] = useDisclosure(false)
  const mine = queries.useQuery('get', '/api/agents/{id}/tools', { params: { path: { id: agent.id } } })
  const all = queries.useQuery('get', '/api/tools')
  const path = (id: string) => ({ params: { path: { id, agentId: agent.id } } })
  const link = (id: string) =>
    run(() => unwrap(api.POST('/api/tools/{id}/agents/{agentId}', path(id))), { success: t.linked, stale })
  const unlink = (id: string) =>
    run(() => unwrap(api.DELETE('/api/tools/{id}/agents/{agentId}', path(id))), { success: t.unlinked, stale })
  const others = (all.data ?? []).filter(({ id }) => !mine.data?.some((tool) => tool.id === id))
  return (
    <Stack gap="lg">
      <Section
        title={t.tools}
        about={t.toolsAbout}
        actions={
          <>
            {(all.data?.length ?? 0) > 0 && (
              <Button component={Link} href="/tools" variant="subtle">
                {t.allTools}
              </Button>
            )}
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
              {t.makeTool}
            </Button>
          </>
        }
      >
        <QueryResult query={mine}>
          {(tools) => (
            <LinkList
              label={t.tools}
              isPending={isPending}
              none={all.data?.length === 0 ? t.noneExist : t.noTools}
              onUnlink={(id) => void unlink(id)}
              rows={tools.map(({ id, name, description, isActive, type }) => ({
                id,
                name,
                at: `/tools/${id}`,
                about: [types[type].name, description].filter(Boolean).join(' · '),
                badge: isActive ? undefined : <StatusBadge tone="off" word={t.off} />,
              }))}
            />
          )}
        </QueryResult>
        {others.length > 0 && (
          <AddLink
            label={t.addTool}
            placeholder={t.chooseTool}
            choices={others.map(({ id, name, type }) => ({ value: id, label: `${name} (${types[type].name})` }))}
            isPending={isPending}
            onAdd={link}
          />
        )}
      </Section>
      <NewTool isOpen={isOpen} onClose={close} agentId={agent.id} />
    </Stack>
  )
}
