// The server's addresses, which administrators can change here; the server then restarts.
import { Alert, Button, Group, Loader, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import type { Addresses as Found } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { FormGrid } from '../../components/form-grid.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { ConfirmDialog, useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { addressesTexts } from './addresses-texts.ts'
import { useRestart } from './use-restart.ts'

export function Addresses({ isOfNodes }: { isOfNodes: boolean }) {
  const t = useTexts(addressesTexts)
  const addresses = queries.useQuery('get', '/api/settings/addresses')
  const { isRestarting, restartFrom } = useRestart(t.done)
  return (
    <Section title={t.title} about={t.about}>
      {isRestarting && (
        <Alert icon={<Loader size={18} />} title={t.restarting} role="status">
          <Text size="sm">{t.restartingText}</Text>
          <Text size="sm">{t.moved}</Text>
        </Alert>
      )}
      {isOfNodes && <Alert color="gray">{t.ofNodes}</Alert>}
      <QueryResult query={addresses}>
        {(found) => (
          <AddressForm
            key={found.startedAt}
            found={found}
            isLocked={isOfNodes || isRestarting}
            onChanged={() => restartFrom(found.startedAt)}
          />
        )}
      </QueryResult>
    </Section>
  )
}

const names = {
  host: 'HOST',
  sipHost: 'SIP_HOST',
  publicUrl: 'PUBLIC_URL',
  publicAddress: 'PUBLIC_ADDRESS',
} as const
type Field = keyof typeof names

/** Select value that stands for an unset address. */
const DEFAULT = 'default'
const LOOPBACK = '127.0.0.1'
const EVERYWHERE = '0.0.0.0'

function AddressForm({ found, isLocked, onChanged }: { found: Found; isLocked: boolean; onChanged: () => void }) {
  const t = useTexts(addressesTexts)
  const { isPending, run } = useAction()
  const [isAsking, { open, close }] = useDisclosure(false)
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({})
  const shown = (field: Field) => typed[field] ?? found[field].value ?? ''
  const fields = Object.keys(names) as Field[]
  const changed = fields.filter((field) => shown(field).trim() !== (found[field].value ?? ''))
  const set = (field: Field, value: string) => setTyped((before) => ({ ...before, [field]: value }))
  const hintOf = (field: Field, hint?: string) => (found[field].isFixed ? t.fixed(names[field]) : hint)
  const isDisabled = (field: Field) => isLocked || found[field].isFixed

  async function save() {
    const body = Object.fromEntries(changed.map((field) => [field, shown(field).trim() || null]))
    if (await run(() => unwrap(api.PATCH('/api/settings/addresses', { body })))) onChanged()
  }

  const listener = (field: 'host' | 'sipHost', standard: string) => (
    <Select
      label={t[field]}
      description={hintOf(field, shown(field) === EVERYWHERE ? t.networkHint : undefined)}
      disabled={isDisabled(field)}
      allowDeselect={false}
      value={shown(field) || DEFAULT}
      onChange={(value) => set(field, value === DEFAULT ? '' : (value ?? ''))}
      data={[
        { value: DEFAULT, label: standard },
        ...(field === 'sipHost' ? [{ value: LOOPBACK, label: t.onlyHere }] : []),
        { value: EVERYWHERE, label: t.network },
        ...others(found[field].value, field).map((value) => ({ value, label: t.other(value) })),
      ]}
    />
  )
  const text = (field: 'publicUrl' | 'publicAddress', hint: string) => (
    <TextInput
      label={t[field]}
      description={hintOf(field, hint)}
      disabled={isDisabled(field)}
      maxLength={253}
      value={shown(field)}
      onChange={(event) => set(field, event.currentTarget.value)}
    />
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    open()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormGrid>
          {listener('host', t.onlyHere)}
          {listener('sipHost', t.sameAsHost)}
          {text('publicUrl', t.publicUrlHint)}
          {text('publicAddress', t.publicAddressHint)}
        </FormGrid>
        <Group>
          <Button type="submit" disabled={changed.length === 0 || isLocked} loading={isPending}>
            {t.save}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        isOpen={isAsking}
        close={close}
        question={t.question}
        warning={t.warning}
        confirm={t.save}
        onConfirm={save}
      />
    </form>
  )
}

/** A custom address that is not among the list's options. */
const others = (value: string | null, field: 'host' | 'sipHost'): string[] =>
  value === null || value === EVERYWHERE || (field === 'sipHost' && value === LOOPBACK) ? [] : [value]
