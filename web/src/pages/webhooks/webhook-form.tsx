// The webhook form.
import { Button, Checkbox, Group, Modal, MultiSelect, Radio, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Webhook } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { useAction } from '../../components/use-action.tsx'
import { type EventGroup, eventGroups } from '../../event-types.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import {
  bodyOf,
  emptyWebhook,
  formOf,
  isWholeGroup,
  problemsOf,
  type WebhookForm as Typed,
  withGroup,
} from './webhook-form.ts'
import { webhooksTexts } from './webhooks-texts.ts'

export function WebhookForm({
  webhook,
  onClose,
  onCreated,
}: {
  webhook: Webhook | null
  onClose: () => void
  onCreated: (secret: string) => void
}) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(commonTexts)
  const { data: agents = [] } = useAgents()
  const { isPending, run } = useAction()
  const [form, setForm] = useState<Typed>(() => (webhook ? formOf(webhook) : emptyWebhook))
  const [isSubmitted, setSubmitted] = useState(false)
  const set = (part: Partial<Typed>) => setForm((before) => ({ ...before, ...part }))
  const problems = isSubmitted ? problemsOf(form) : []
  const guarded = useGuardedSave({
    fields: { url: t.url, description: t.description, events: t.events, agentIds: t.agents, isActive: t.active },
    format: (field, value) =>
      field === 'agentIds' && Array.isArray(value)
        ? value.map((id) => agents.find((agent) => agent.id === id)?.name ?? id).join(', ')
        : undefined,
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (problemsOf(form).length > 0) return focusFirstError()
    const body = bodyOf(form)
    await run(
      async () => {
        if (webhook) {
          const params = { path: { id: webhook.id } }
          await guarded.save({
            base: webhook,
            patch: body,
            load: () => unwrap(api.GET('/api/webhooks/{id}', { params })),
            send: (patch, headers) => unwrap(api.PATCH('/api/webhooks/{id}', { params, body: patch, headers })),
          })
          onClose()
        } else onCreated((await unwrap(api.POST('/api/webhooks', { body }))).secret)
      },
      { success: webhook ? c.saved : c.created, stale: ['/api/webhooks'] },
    )
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={webhook ? t.editTitle : t.make}
      size="lg"
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <TextInput
            label={t.url}
            description={t.urlHint}
            placeholder="https://"
            type="url"
            required
            data-autofocus
            maxLength={2048}
            value={form.url}
            onChange={(event) => set({ url: event.currentTarget.value })}
            error={problems.includes('url') ? t.urlWrong : undefined}
          />
          <TextInput
            label={`${t.description} (${c.optional})`}
            maxLength={1000}
            value={form.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <Radio.Group
            label={t.events}
            value={form.isAll ? 'all' : 'some'}
            onChange={(chosen) => set({ isAll: chosen === 'all' })}
            error={problems.includes('events') ? t.eventsMissing : undefined}
          >
            <Group my={6}>
              <Radio value="all" label={t.all} />
              <Radio value="some" label={t.some} />
            </Group>
          </Radio.Group>
          {!form.isAll && <Events events={form.events} onChange={(events) => set({ events })} />}
          <MultiSelect
            label={t.agents}
            description={t.agentsHint}
            searchable={agents.length > 7}
            clearable
            value={form.agentIds}
            onChange={(agentIds) => set({ agentIds })}
            data={agents.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Switch
            label={t.active}
            checked={form.isActive}
            onChange={(event) => set({ isActive: event.currentTarget.checked })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {webhook ? c.save : c.create}
            </Button>
          </Group>
        </Stack>
      </form>
      {guarded.dialog}
    </Modal>
  )
}

function Events({ events, onChange }: { events: Webhook['events']; onChange: (events: Webhook['events']) => void }) {
  const t = useTexts(webhooksTexts)
  return (
    <Stack gap="sm">
      {(Object.keys(eventGroups) as EventGroup[]).map((group) => {
        const own: readonly Webhook['events'][number][] = eventGroups[group]
        const isSome = own.some((event) => events.includes(event))
        return (
          <fieldset key={group} style={{ border: 0, padding: 0, margin: 0 }} aria-label={t.groups[group]}>
            <Checkbox
              label={t.groups[group]}
              fw={600}
              checked={isWholeGroup(events, group)}
              indeterminate={isSome && !isWholeGroup(events, group)}
              onChange={(event) => onChange(withGroup(events, group, event.currentTarget.checked))}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" pl="xl" pt="xs">
              {eventGroups[group].map((event) => (
                <Checkbox
                  key={event}
                  label={t.names[event]}
                  description={event}
                  checked={events.includes(event)}
                  onChange={({ currentTarget }) =>
                    onChange(currentTarget.checked ? [...events, event] : events.filter((one) => one !== event))
                  }
                />
              ))}
            </SimpleGrid>
          </fieldset>
        )
      })}
    </Stack>
  )
}
