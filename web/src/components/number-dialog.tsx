// Adds or edits a number in one dialog: the number, its trunk, its agent, then a test.
import { Anchor, Button, Group, Modal, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Did } from '../../../client/paths.ts'
import { api, errorMessage, queries, unwrap } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { numbersTexts } from '../pages/numbers/numbers-texts.ts'
import { AgentSelect } from './agent-select.tsx'
import { focusFirstError } from './focus-first-error.ts'
import { useGuardedSave } from './guarded-save.tsx'
import { NumberTest } from './number-test.tsx'
import { PhoneInput, useTypedPhone } from './phone-input.tsx'
import { countryCodeOf, formatNumber } from './phone-number.ts'
import { phoneTexts } from './phone-texts.ts'
import { useAction } from './use-action.tsx'

const stale = ['/api/did', '/api/trunk-links', '/api/agents', '/api/trunks', '/api/overview']

export type NumberPreset = { did?: Did | null; trunkId?: string | null; agentId?: string | null }

export function NumberDialog({ did = null, trunkId, agentId, onClose }: NumberPreset & { onClose: () => void }) {
  const t = useTexts(numbersTexts)
  const c = useTexts(commonTexts)
  const p = useTexts(phoneTexts)
  const [saved, setSaved] = useState<{ did: Did; trunkId: string | null } | null>(null)
  const title = saved ?? did
  return (
    <Modal
      opened
      onClose={onClose}
      title={title && (saved || did) ? formatTitle(saved?.did ?? did, t.editTitle) : t.add}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      {saved ? (
        <Stack>
          <NumberTest did={saved.did} trunkId={saved.trunkId} />
          <Group justify="flex-end">
            <Button data-autofocus onClick={onClose}>
              {p.done}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Fields did={did} trunkId={trunkId ?? null} agentId={agentId ?? null} onClose={onClose} onSaved={setSaved} />
      )}
    </Modal>
  )
}

const formatTitle = (did: Did | null, title: (number: string) => string) =>
  did ? title(formatNumber(did.phoneNumber)) : ''

function Fields({
  did,
  trunkId: knownTrunk,
  agentId: knownAgent,
  onClose,
  onSaved,
}: Required<NumberPreset> & {
  onClose: () => void
  onSaved: (saved: { did: Did; trunkId: string | null }) => void
}) {
  const t = useTexts(numbersTexts)
  const c = useTexts(commonTexts)
  const { data: trunks } = queries.useQuery('get', '/api/trunks')
  const { isPending, run } = useAction()
  const guarded = useGuardedSave({ fields: { agentId: c.agent, status: c.status } })
  const phone = useTypedPhone()
  const [provider, setProvider] = useState('')
  const [agentId, setAgentId] = useState(did?.agentId ?? knownAgent)
  const [trunkId, setTrunkId] = useState(knownTrunk)
  const [isActive, setActive] = useState(did?.status !== 'inactive')
  const [isSubmitted, setSubmitted] = useState(false)
  const number = did?.phoneNumber ?? phone.number
  const needsAgent = trunkId !== null && agentId === null

  /** The number is already saved: a failed link is only a warning. */
  async function linkTrunk(phoneNumber: string): Promise<string | null> {
    if (!agentId || !trunkId) return null
    const body = { trunkId, trunkType: 'inbound' as const, phoneNumber }
    const link = unwrap(api.POST('/api/agents/{id}/link-trunk', { params: { path: { id: agentId } }, body }))
    return link.then(
      () => trunkId,
      (error) => {
        const message = errorMessage(error)
        notifications.show({ title: t.addedWithoutTrunk, message, color: 'red', autoClose: 10_000 })
        return null
      },
    )
  }

  const store = (phoneNumber: string) =>
    did
      ? guarded.save({
          base: did,
          patch: { agentId, status: isActive ? ('active' as const) : ('inactive' as const) },
          load: () => unwrap(api.GET('/api/did/{id}', { params: { path: { id: did.id } } })),
          send: (body, headers) =>
            unwrap(api.PATCH('/api/did/{id}', { params: { path: { id: did.id } }, body, headers })),
        })
      : unwrap(
          api.POST('/api/did', {
            body: { phoneNumber, countryCode: countryCodeOf(phoneNumber), agentId, provider: provider || null },
          }),
        )

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (!number || needsAgent) return focusFirstError()
    await run(
      async () => {
        const stored = await store(number)
        onSaved({ did: stored, trunkId: await linkTrunk(number) })
      },
      { success: did ? c.saved : t.added, stale },
    )
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        {!did && <PhoneInput phone={phone} label={t.number} isRequired hasFocus isWrong={isSubmitted} />}
        <Select
          label={t.trunk}
          description={t.trunkHint}
          placeholder={t.trunkNone}
          disabled={trunks?.length === 0}
          clearable
          clearButtonProps={{ 'aria-label': `${c.remove}: ${t.trunk}` }}
          value={trunkId}
          onChange={setTrunkId}
          data={(trunks ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        {trunks?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.trunkEmpty}{' '}
            <Anchor component={Link} href="/trunks" size="sm" underline="always">
              {t.makeTrunk}
            </Anchor>
          </Text>
        )}
        <AgentSelect
          label={t.agent}
          description={t.agentHint}
          placeholder={t.nobody}
          value={agentId}
          onChange={setAgentId}
          error={isSubmitted && needsAgent ? t.trunkNeedsAgent : undefined}
        />
        {did ? (
          <Switch
            label={t.isActive}
            description={t.isActiveHint}
            checked={isActive}
            onChange={(event) => setActive(event.currentTarget.checked)}
          />
        ) : (
          <TextInput
            label={`${t.provider} (${c.optional})`}
            description={t.providerHint}
            maxLength={64}
            value={provider}
            onChange={(event) => setProvider(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {c.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {did ? c.save : t.add}
          </Button>
        </Group>
      </Stack>
      {guarded.dialog}
    </form>
  )
}
