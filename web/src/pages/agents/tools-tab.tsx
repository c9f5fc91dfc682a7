// The tools that an agent may use.
import { Button, Stack } from '@mantine/core'
import { Link } from 'wouter'
import { api, done, queries } from '../../api.ts'
import { useWords } from '../../i18n/words.tsx'
import { useAction } from '../../parts/doing.tsx'
import { Section } from '../../parts/section.tsx'
import { Reading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import type { Part } from './agent-form.tsx'
import { AddLink, LinkList } from './link-list.tsx'
import { linksWords } from './links-words.ts'

const stale = ['/api/agents', '/api/tools']

export function ToolsTab({ agent }: Part) {
  const t = useWords(linksWords)
  const { isDoing, run } = useAction()
  const mine = queries.useQuery('get', '/api/agents/{id}/tools', { params: { path: { id: agent.id } } })
  const all = queries.useQuery('get', '/api/tools')
  const path = (id: string) => ({ params: { path: { id, agentId: agent.id } } })
  const link = (id: string) =>
    run(() => done(api.POST('/api/tools/{id}/agents/{agentId}', path(id))), { success: t.linked, stale })
  const unlink = (id: string) =>
    run(() => done(api.DELETE('/api/tools/{id}/agents/{agentId}', path(id))), { success: t.unlinked, stale })
  const others = (all.data ?? []).filter(({ id }) => !mine.data?.some((tool) => tool.id === id))
  return (
    <Stack gap="lg">
      <Section
        title={t.tools}
        about={t.toolsAbout}
        actions={
          <Button component={Link} href="/tools" variant="default">
            {all.data?.length ? t.allTools : t.makeTool}
          </Button>
        }
      >
        <Reading of={mine}>
          {(tools) => (
            <LinkList
              label={t.tools}
              isDoing={isDoing}
              none={all.data?.length === 0 ? t.noneExist : t.noTools}
              onUnlink={(id) => void unlink(id)}
              rows={tools.map(({ id, name, description, isActive, type }) => ({
                id,
                name,
                at: `/tools/${id}`,
                about: description ?? type,
                badge: isActive ? undefined : <StatusBadge tone="off" word={t.off} />,
              }))}
            />
          )}
        </Reading>
        {others.length > 0 && (
          <AddLink
            label={t.addTool}
            placeholder={t.chooseTool}
            choices={others.map(({ id, name }) => ({ value: id, label: name }))}
            isDoing={isDoing}
            onAdd={link}
          />
        )}
      </Section>
    </Stack>
  )
}
