// Agent names for lists.
import { Anchor, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { queries } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { useMay } from '../organization.ts'

export const useAgents = () => queries.useQuery('get', '/api/agents')

/** Returns an agent's name by id; an empty string until the agents are loaded, a dash if they may not be read. */
export function useAgentNames(): (id: string) => string {
  const { data } = useAgents()
  const mayRead = useMay('agents:read')
  return useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]))
    return (id) => names.get(id) ?? (data ? id : mayRead ? '' : '–')
  }, [data, mayRead])
}

/** An agent's name, linked to its page. */
export function AgentName({
  id,
  fallback,
  isInText = false,
}: {
  id: string | null
  fallback?: string
  /** Underlines the link, as WCAG 1.4.1 requires inside a sentence. */
  isInText?: boolean
}) {
  const t = useTexts(commonTexts)
  const { data: agents = [] } = useAgents()
  const mayRead = useMay('agents:read')
  if (!id || !mayRead)
    return (
      <Text span c="dimmed" size="sm">
        {id ? '–' : (fallback ?? t.none)}
      </Text>
    )
  return (
    <Anchor component={Link} href={`/agents/${id}`} size="sm" underline={isInText ? 'always' : 'hover'}>
      {agents.find((agent) => agent.id === id)?.name ?? id}
    </Anchor>
  )
}
