// A select of agents.
import { Select, type SelectProps } from '@mantine/core'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { useAgents } from './agent-name.tsx'

/** Empty means no agent. */
export function AgentSelect({
  value,
  onChange,
  isCalling = false,
  ...select
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  /** Lists agents that may place calls first, and marks the others as inbound only. */
  isCalling?: boolean
  value: string | null
  onChange: (agentId: string | null) => void
}) {
  const t = useTexts(commonTexts)
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
      data={
        isCalling
          ? [
              ...agents.filter(({ direction }) => direction !== 'inbound').map(optionOf),
              ...agents
                .filter(({ direction }) => direction === 'inbound')
                .map(({ id, name }) => ({ value: id, label: `${name} (${t.onlyTakes})` })),
            ]
          : agents.map(optionOf)
      }
    />
  )
}

const optionOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })
