// One callback request: what the caller left, buttons to call back and to close it, and the note.
import { Anchor, Button, Drawer, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconCheck, IconPhone, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Callback } from '../../../../client/paths.ts'
import { AgentName } from '../../components/agent-name.tsx'
import { RelativeTime } from '../../components/date-time.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange, useMayOpen } from '../../organization.ts'
import { callbackTones, placeHref, recordHref, telHref } from './callback-links.ts'
import { callbacksTexts } from './callbacks-texts.ts'
import { useCallbackChanges } from './use-callback-changes.ts'

export function CallbackDetails({ callback, onClose }: { callback: Callback; onClose: () => void }) {
  const t = useTexts(callbacksTexts)
  const c = useTexts(commonTexts)
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="md"
      title={callback.name ?? t.unnamed}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <Stack gap="md">
        <Actions callback={callback} />
        <Facts callback={callback} />
        <Note key={callback.id} callback={callback} />
      </Stack>
    </Drawer>
  )
}

function Actions({ callback }: { callback: Callback }) {
  const t = useTexts(callbacksTexts)
  const { isPending, setStatus } = useCallbackChanges()
  const tel = telHref(callback)
  const place = placeHref(callback)
  const mayOpen = useMayOpen()
  const mayChange = useMayChange()
  return (
    <Group gap="xs">
      {tel && (
        <Button component="a" href={tel} leftSection={<IconPhone size={16} aria-hidden />}>
          {t.call}
        </Button>
      )}
      {!mayChange ? null : callback.status === 'open' ? (
        <>
          <Button
            variant="default"
            loading={isPending}
            leftSection={<IconCheck size={16} aria-hidden />}
            onClick={() => void setStatus(callback, 'done')}
          >
            {t.markDone}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => void setStatus(callback, 'canceled')}>
            {t.cancel}
          </Button>
        </>
      ) : (
        <Button
          variant="default"
          loading={isPending}
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void setStatus(callback, 'open')}
        >
          {t.reopen}
        </Button>
      )}
      {place && mayOpen(place) && (
        <Anchor component={Link} href={place} size="sm">
          {t.agentCalls}
        </Anchor>
      )}
    </Group>
  )
}

function Facts({ callback }: { callback: Callback }) {
  const t = useTexts(callbacksTexts)
  const c = useTexts(commonTexts)
  const { phoneNumber, matter, reason, status, agentId, createdAt, dueAt, callId } = callback
  const record = recordHref(callback)
  const facts = [
    [t.matter, matter ?? t.noMatter],
    [t.number, phoneNumber ? formatNumber(phoneNumber) : t.noNumber],
    [c.status, <StatusBadge key="status" tone={callbackTones[status]} word={t.states[status]} />],
    [t.when, <RelativeTime key="when" at={createdAt} />],
    ...(dueAt ? [[t.due, <RelativeTime key="due" at={dueAt} />]] : []),
    ...(agentId ? [[c.agent, <AgentName key="agent" id={agentId} fallback="–" />]] : []),
    [t.reason, t.reasons[reason]],
  ] as const
  return (
    <Stack gap="xs">
      {facts.map(([name, value]) => (
        <div key={String(name)}>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
      {record && (
        <Anchor component={Link} href={record} size="sm">
          {callId ? t.seeCall : t.seeConversation}
        </Anchor>
      )}
    </Stack>
  )
}

function Note({ callback }: { callback: Callback }) {
  const t = useTexts(callbacksTexts)
  const { isPending, setNote } = useCallbackChanges()
  const [note, setText] = useState(callback.note ?? '')
  const mayChange = useMayChange()
  const isSame = note.trim() === (callback.note ?? '')
  return (
    <Stack gap="xs">
      <Textarea
        label={t.note}
        description={t.noteHint}
        maxLength={2000}
        autosize
        minRows={3}
        value={note}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button
          variant="default"
          size="xs"
          disabled={isSame || !mayChange}
          loading={isPending}
          onClick={() => void setNote(callback, note.trim() || null)}
        >
          {t.save}
        </Button>
      </Group>
    </Stack>
  )
}
