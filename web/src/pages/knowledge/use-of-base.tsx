// Which tools look into a base; and giving it to an agent in one click: the tool is made where it is missing, then linked.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { KnowledgeBase } from '../../../../client/paths.ts'
import { api, done, queries } from '../../api.ts'
import { AgentSelect, useAgents } from '../../parts/agent-select.tsx'
import { useDoing } from '../../parts/doing.tsx'
import { Section } from '../../parts/section.tsx'
import { useWords } from '../../words/words.tsx'
import { knowledgeWords } from './knowledge-words.ts'

type Asking = { id: string; name: string }

/** The list does not tell which bases a tool asks, so each of the type is looked at. */
function useToolsOf(baseId: string): Asking[] {
  const { data: tools = [] } = queries.useQuery('get', '/api/tools')
  return useQueries({
    queries: tools
      .filter(({ type }) => type === 'query')
      .map(({ id }) => queries.queryOptions('get', '/api/tools/{id}', { params: { path: { id } } })),
    combine: (answers) =>
      answers.flatMap(({ data: tool }) => {
        const ids = tool?.config?.knowledgeBaseIds
        return tool && Array.isArray(ids) && ids.includes(baseId) ? [{ id: tool.id, name: tool.name }] : []
      }),
  })
}

/** Which agents have one of these tools. */
function useAgentsWith(tools: readonly Asking[]): Asking[] {
  const { data: agents = [] } = useAgents()
  return useQueries({
    queries: (tools.length > 0 ? agents : []).map(({ id }) =>
      queries.queryOptions('get', '/api/agents/{id}/tools', { params: { path: { id } } }),
    ),
    combine: (answers) =>
      agents.filter((_, i) => answers[i]?.data?.some(({ id }) => tools.some((tool) => tool.id === id))),
  })
}

export function UseOfBase({ base }: { base: KnowledgeBase }) {
  const t = useWords(knowledgeWords)
  const { isDoing, run } = useDoing()
  const tools = useToolsOf(base.id)
  const agents = useAgentsWith(tools)
  const [agentId, setAgent] = useState<string | null>(null)

  const give = async () => {
    if (!agentId) return
    const isDone = await run(
      async () => {
        const id = tools[0]?.id ?? (await makeTool())
        await done(api.POST('/api/tools/{id}/agents/{agentId}', { params: { path: { id, agentId } } }))
      },
      { success: t.given, stale: ['/api/tools', '/api/agents'] },
    )
    if (isDone) setAgent(null)
  }
  const makeTool = async () => {
    const body = {
      name: t.toolName(base.name).slice(0, 255),
      description: t.toolDescription(base.name),
      type: 'query' as const,
      config: { knowledgeBaseIds: [base.id] },
    }
    return (await done(api.POST('/api/tools', { body }))).id
  }

  return (
    <Section title={t.use} about={t.useAbout}>
      {tools.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.notUsed}
        </Text>
      ) : (
        <Stack gap={4}>
          <Names label={t.usedBy} rows={tools} path="/tools" />
          <Names label={t.agents} rows={agents} path="/agents" />
        </Stack>
      )}
      <Group gap="xs" align="flex-end">
        <AgentSelect
          flex="1 1 200px"
          label={t.give}
          description={t.giveHint}
          placeholder={t.chooseAgent}
          value={agentId}
          onChange={setAgent}
        />
        <Button loading={isDoing} disabled={!agentId} onClick={() => void give()}>
          {t.link}
        </Button>
      </Group>
    </Section>
  )
}

function Names({ label, rows, path }: { label: string; rows: readonly Asking[]; path: string }) {
  const t = useWords(knowledgeWords)
  return (
    <Text size="sm" component="div">
      <Text span c="dimmed" inherit>
        {label}:{' '}
      </Text>
      {rows.length === 0 && t.none}
      {rows.map(({ id, name }, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <Anchor component={Link} href={`${path}/${id}`} inherit underline="always">
            {name}
          </Anchor>
        </span>
      ))}
    </Text>
  )
}
