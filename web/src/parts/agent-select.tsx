// One of the agents, chosen by name; and their names for lists.
import { Anchor, Select, type SelectProps, Text } from '@mantine/core'
import { Link } from 'wouter'
import { queries } from '../api.ts'
import { common } from '../words/common.ts'
import { useWords } from '../words/words.tsx'

export const useAgents = () => queries.useQuery('get', '/api/agents')

/** Empty means none. */
export function AgentSelect({
  value,
  onChange,
  ...select
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string | null
  onChange: (agentId: string | null) => void
}) {
  const t = useWords(common)
  const { data: agents = [] } = useAgents()
  return (
    <Select
      label={t.agent}
      placeholder={t.none}
      searchable={agents.length > 7}
      clearable={!select.required}
      clearButtonProps={{ 'aria-label': `${t.remove}: ${t.agent}` }}
      {...select}
      value={value}
      onChange={onChange}
      data={agents.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

/** The name of an agent, leading to its page. */
export function AgentName({
  id,
  otherwise,
  isInText = false,
}: {
  id: string | null
  otherwise?: string
  /** Among other words it must be seen to be a link without its colour. */
  isInText?: boolean
}) {
  const t = useWords(common)
  const { data: agents = [] } = useAgents()
  if (!id)
    return (
      <Text span c="dimmed" size="sm">
        {otherwise ?? t.none}
      </Text>
    )
  return (
    <Anchor component={Link} href={`/agents/${id}`} size="sm" underline={isInText ? 'always' : 'hover'}>
      {agents.find((agent) => agent.id === id)?.name ?? id}
    </Anchor>
  )
}
