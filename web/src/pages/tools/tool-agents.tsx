// The agents that may use a tool.
import { Anchor, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Agent } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { toolsTexts } from './tools-texts.ts'

const FEW = 8

/** Undefined while loading. */
export const useAgentsOfTool = (id: string | undefined) =>
  queries.useQuery(
    'get',
    '/api/tools/{id}/agents',
    { params: { path: { id: id ?? '' } } },
    { enabled: id !== undefined },
  ).data

export function ToolAgents({ toolId }: { toolId: string }) {
  const t = useTexts(toolsTexts)
  const agents = useAgents()
  const [search, setSearch] = useState('')
  const linked = useAgentsOfTool(toolId)
  return (
    <Section title={t.agents} about={t.agentsAbout}>
      <QueryResult query={agents}>
        {(all) => {
          if (all.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {t.agentsEmpty}{' '}
                <Anchor component={Link} href="/agents/new" size="sm" underline="always">
                  {t.makeAgent}
                </Anchor>
              </Text>
            )
          const shown = all.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
          return (
            <Stack gap="sm">
              {all.length > FEW && (
                <TextInput
                  aria-label={t.agentsSearch}
                  placeholder={t.agentsSearch}
                  leftSection={<IconSearch size={16} aria-hidden />}
                  value={search}
                  onChange={(event) => setSearch(event.currentTarget.value)}
                />
              )}
              <Stack gap="xs" mah={320} style={{ overflowY: 'auto' }}>
                {shown.map((agent) => (
                  <AgentSwitch
                    key={agent.id}
                    agent={agent}
                    toolId={toolId}
                    isLinked={linked?.some(({ id }) => id === agent.id)}
                  />
                ))}
              </Stack>
            </Stack>
          )
        }}
      </QueryResult>
    </Section>
  )
}

function AgentSwitch({ agent, toolId, isLinked }: { agent: Agent; toolId: string; isLinked: boolean | undefined }) {
  const t = useTexts(toolsTexts)
  const { isPending, run } = useAction()
  const params = { path: { id: toolId, agentId: agent.id } }
  const change = (isOn: boolean) =>
    run(
      () =>
        isOn
          ? unwrap(api.POST('/api/tools/{id}/agents/{agentId}', { params }))
          : unwrap(api.DELETE('/api/tools/{id}/agents/{agentId}', { params })),
      {
        success: isOn ? t.linked(agent.name) : t.unlinked(agent.name),
        stale: ['/api/tools', '/api/agents/{id}/tools'],
      },
    )
  return (
    <Switch
      label={agent.name}
      checked={isLinked ?? false}
      disabled={isLinked === undefined || isPending}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}
