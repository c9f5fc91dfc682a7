// Adds or edits a number.
import { Anchor, Button, Group, Modal, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Did } from '../../../../client/paths.ts'
import { api, errorMessage, queries, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { numbersTexts } from './numbers-texts.ts'
import { countryCodeOf, formatNumber, isE164, normaliseNumber } from './phone-number.ts'

const stale = ['/api/did', '/api/agents/{id}/linked-trunks', '/api/overview']

export function NumberForm({
  did,
  trunkId: knownTrunk = null,
  onClose,
}: {
  did: Did | null
  trunkId?: string | null
  onClose: () => void
}) {
  const t = useTexts(numbersTexts)
  const c = useTexts(commonTexts)
  const { data: trunks } = queries.useQuery('get', '/api/trunks')
  const { isPending, run } = useAction()
  const [typed, setTyped] = useState('')
  const [provider, setProvider] = useState('')
  const [agentId, setAgentId] = useState(did?.agentId ?? null)
  const [trunkId, setTrunkId] = useState(knownTrunk)
  const [isActive, setActive] = useState(did?.status !== 'inactive')
  const [isSubmitted, setSubmitted] = useState(false)
  const number = did?.phoneNumber ?? normaliseNumber(typed)
  const isWrong = !isE164(number)

  /** The number is already saved: a failed link is a warning, not a failure. */
  async function linkTrunk() {
    if (!agentId || !trunkId || trunkId === knownTrunk) return
    const body = { trunkId, trunkType: 'inbound' as const, phoneNumber: number }
    await unwrap(api.POST('/api/agents/{id}/link-trunk', { params: { path: { id: agentId } }, body })).catch((error) =>
      notifications.show({ title: t.addedWithoutTrunk, message: errorMessage(error), color: 'red', autoClose: 10_000 }),
    )
  }

  async function save() {
    if (did) {
      const body = { agentId, status: isActive ? ('active' as const) : ('inactive' as const) }
      await unwrap(api.PATCH('/api/did/{id}', { params: { path: { id: did.id } }, body }))
    } else {
      const body = { phoneNumber: number, countryCode: countryCodeOf(number), agentId, provider: provider || null }
      await unwrap(api.POST('/api/did', { body }))
    }
    await linkTrunk()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (isWrong) return focusFirstError()
    if (await run(save, { success: did ? c.saved : t.added, stale })) onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={did ? t.editTitle(formatNumber(did.phoneNumber)) : t.add}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          {!did && (
            <TextInput
              label={t.number}
              description={t.numberHint}
              type="tel"
              inputMode="tel"
              required
              data-autofocus
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={isSubmitted && isWrong ? t.numberWrong : undefined}
            />
          )}
          <AgentSelect
            label={t.agent}
            description={t.agentHint}
            placeholder={t.nobody}
            value={agentId}
            onChange={setAgentId}
          />
          <Select
            label={t.trunk}
            description={agentId ? t.trunkHint : t.trunkNeedsAgent}
            placeholder={t.trunkNone}
            disabled={!agentId || trunks?.length === 0}
            value={trunkId}
            onChange={setTrunkId}
            data={(trunks ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
          {trunks?.length === 0 && (
            <Text size="sm" c="dimmed">
              {t.trunkEmpty}{' '}
              <Anchor component={Link} href="/trunks" size="sm">
                {t.makeTrunk}
              </Anchor>
            </Text>
          )}
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
      </form>
    </Modal>
  )
}
