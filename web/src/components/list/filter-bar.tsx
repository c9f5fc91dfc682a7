// Search and filters of a list. The bar keeps its height whatever is selected; on a phone the filters collapse.
import { ActionIcon, Paper, Select, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconFilterOff, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMay } from '../../organization.ts'
import { AgentSelect } from '../agent-select.tsx'
import styles from './list.module.css'
import { isNarrowed, withDay } from './list-address.ts'
import { listTexts } from './list-texts.ts'
import type { UsedAddress } from './use-list-address.ts'

/** Debounce of the search field. */
const PAUSE_MS = 300

export type FilterInput =
  | { kind: 'agent'; key: string }
  | { kind: 'days' }
  | {
      kind: 'choice'
      key: string
      label: string
      /** Shown when nothing is selected, such as "Any". */
      placeholder: string
      options: readonly { value: string; label: string }[]
    }

export function FilterBar({
  used,
  label,
  searchLabel,
  inputs: all = [],
}: {
  used: UsedAddress
  label: string
  searchLabel: string
  inputs?: readonly FilterInput[]
}) {
  const t = useTexts(listTexts)
  const { address, clear } = used
  const mayReadAgents = useMay('agents:read')
  const inputs = all.filter(({ kind }) => mayReadAgents || kind !== 'agent')
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false
  const [isOpen, { toggle }] = useDisclosure(Object.values(address.values).some(Boolean))
  const hasFilter = isNarrowed(address)
  const clearButton = (
    <Tooltip label={t.clear}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t.clear}
        disabled={!hasFilter}
        onClick={clear}
        style={{ justifySelf: 'end' }}
      >
        <IconFilterOff size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
  const count = inputs.reduce((sum, { kind }) => sum + (kind === 'days' ? 2 : 1), 0)
  const tracks = `minmax(200px, 2fr) repeat(${count}, minmax(110px, 1fr)) 36px`
  return (
    <Paper withBorder p={isNarrow ? 'sm' : 'md'} component="search" aria-label={label}>
      <div
        className={`${styles.bar} ${isNarrow ? styles.narrow : ''}`}
        style={isNarrow ? undefined : { gridTemplateColumns: tracks }}
      >
        <Search used={used} label={searchLabel} />
        {isNarrow && inputs.length > 0 && (
          <ActionIcon
            variant={isOpen ? 'filled' : 'default'}
            size={36}
            aria-label={t.filters}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            <IconAdjustmentsHorizontal size={20} aria-hidden />
          </ActionIcon>
        )}
        {(isOpen || !isNarrow) &&
          inputs.map((input) => <Input key={input.kind === 'days' ? 'days' : input.key} used={used} input={input} />)}
        {(isOpen || !isNarrow) && clearButton}
      </div>
    </Paper>
  )
}

function Search({ used: { address, change }, label }: { used: UsedAddress; label: string }) {
  const [text, setText] = useState(address.q)
  useEffect(() => setText(address.q), [address.q])
  const search = useDebouncedCallback((q: string) => change({ q }, true), PAUSE_MS)
  return (
    <TextInput
      label={label}
      type="search"
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={255}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}

function Input({ used: { address, change }, input }: { used: UsedAddress; input: FilterInput }) {
  const t = useTexts(listTexts)
  const { values } = address
  const set = (key: string, value: string | null) => change({ values: { ...values, [key]: value } })
  if (input.kind === 'agent')
    return (
      <AgentSelect
        className={styles.wide ?? ''}
        placeholder={t.any}
        value={values[input.key] ?? null}
        onChange={(id) => set(input.key, id)}
      />
    )
  if (input.kind === 'choice')
    return (
      <Select
        className={styles.wide ?? ''}
        label={input.label}
        placeholder={input.placeholder}
        clearable
        clearButtonProps={{ 'aria-label': `${t.clear}: ${input.label}` }}
        data={[...input.options]}
        value={values[input.key] ?? null}
        onChange={(value) => set(input.key, value)}
      />
    )
  return (['from', 'to'] as const).map((key) => (
    <TextInput
      key={key}
      type="date"
      label={t[key]}
      value={values[key] ?? ''}
      onChange={(event) => change({ values: withDay(values, key, event.currentTarget.value || null) })}
    />
  ))
}
