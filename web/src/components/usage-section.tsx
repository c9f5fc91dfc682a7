// The tools and agents that use a resource (knowledge base, spreadsheet). Linking another agent creates the tool if
// needed.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { UsingTool } from '../../../client/paths.ts'
import { api, unwrap } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { AgentSelect } from './agent-select.tsx'
import { Section } from './section.tsx'
import { usageTexts } from './usage-texts.ts'
import { useAction } from './use-action.tsx'

type Named = { id: string; name: string }
const MAX_NAMED = 8

export const agentsUsing = (tools: readonly UsingTool[]): Named[] => [
  ...new Map(tools.flatMap(({ agents }) => agents).map((agent) => [agent.id, agent])).values(),
]

/** The agents that a deletion affects, shown above the warning. */
export function AffectedAgents({ agents, children }: { agents: readonly Named[] | undefined; children: string }) {
  const t = useTexts(usageTexts)
  const { locale } = useLanguage()
  if (!agents || agents.length === 0) return children
  const names = agents.slice(0, MAX_NAMED).map(({ name }) => name)
  if (agents.length > MAX_NAMED) names.push(`+${agents.length - MAX_NAMED}`)
  return (
    <>
      <Text span inherit fw={600} display="block" mb={6}>
        {t.inUse(new Intl.ListFormat(locale, { type: 'conjunction' }).format(names))}
      </Text>
      {children}
    </>
  )
}

export function UsageSection({
  tools = [],
  title,
  about,
  notUsed,
  giveHint,
  success,
  newTool,
  stale,
}: {
  tools: readonly UsingTool[] | undefined
  title: string
  about: string
  notUsed: string
  giveHint: string
  success: string
  newTool: { name: string; description: string; type: 'query' | 'spreadsheet'; config: Record<string, unknown> }
  stale: readonly string[]
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(usageTexts) }
  const { isPending, run } = useAction()
  const [agentId, setAgent] = useState<string | null>(null)
  const give = async () => {
    if (!agentId) return
    const isDone = await run(
      async () => {
        const body = { ...newTool, name: newTool.name.slice(0, 255) }
        const id = tools[0]?.id ?? (await unwrap(api.POST('/api/tools', { body }))).id
        await unwrap(api.POST('/api/tools/{id}/agents/{agentId}', { params: { path: { id, agentId } } }))
      },
      { success, stale: ['/api/tools', '/api/agents', ...stale] },
    )
    if (isDone) setAgent(null)
  }
  return (
    <Section title={title} about={about}>
      {tools.length === 0 ? (
        <Text size="sm" c="dimmed">
          {notUsed}
        </Text>
      ) : (
        <Stack gap={4}>
          <Names label={t.tools} rows={tools} path="/tools" />
          <Names label={t.agents} rows={agentsUsing(tools)} path="/agents" />
        </Stack>
      )}
      <Group gap="xs" align="flex-end">
        <AgentSelect
          flex="1 1 200px"
          label={t.give}
          description={giveHint}
          placeholder={t.chooseAgent}
          value={agentId}
          onChange={setAgent}
        />
        <Button loading={isPending} disabled={!agentId} onClick={() => void give()}>
          {t.link}
        </Button>
      </Group>
    </Section>
  )
}

function Names({ label, rows, path }: { label: string; rows: readonly Named[]; path: string }) {
  const t = useTexts(usageTexts)
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
