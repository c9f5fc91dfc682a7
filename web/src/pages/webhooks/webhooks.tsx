// The list of webhooks: events, delivery health, and a test.
import { ActionIcon, Anchor, Button, Group, Menu, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconDots,
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlus,
  IconSend,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { Webhook } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useHiddenRows, useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { requestsServerTexts } from '../../i18n/server-texts/requests.ts'
import { useServerText } from '../../i18n/use-server-text.ts'
import { Deliveries } from './deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { webhooksTexts } from './webhooks-texts.ts'

const removal = { pathOf: (id: string) => `/api/webhooks/${id}`, stale: ['/api/webhooks'] }

export function Webhooks() {
  const t = useTexts(webhooksTexts)
  const webhooks = queries.useQuery('get', '/api/webhooks')
  const hidden = useHiddenRows()
  const [form, setForm] = useState<{ webhook: Webhook | null } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setForm({ webhook: null })}>
      {t.make}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={webhooks.data?.length !== 0 && make}>
      <QueryResult query={{ ...webhooks, data: webhooks.data?.filter(({ id }) => !hidden.has(id)) }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconWebhook aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={make} />
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0}>
              {rows.map((webhook) => (
                <WebhookCard
                  key={webhook.id}
                  webhook={webhook}
                  onEdit={() => setForm({ webhook })}
                  onSecret={setSecret}
                />
              ))}
            </Stack>
          )
        }
      </QueryResult>
      <Text size="sm" c="dimmed">
        <Anchor href="/docs" size="sm" target="_blank">
          {t.reference}
        </Anchor>
      </Text>
      {form && (
        <WebhookForm
          webhook={form.webhook}
          onClose={() => setForm(null)}
          onCreated={(made) => {
            setForm(null)
            setSecret(made)
          }}
        />
      )}
      <SecretOnce
        title={t.secretTitle}
        secret={secret}
        warning={t.secretWarning}
        doneLabel={t.secretDone}
        onClose={() => setSecret(null)}
      />
    </Page>
  )
}

function WebhookCard({
  webhook,
  onEdit,
  onSecret,
}: {
  webhook: Webhook
  onEdit: () => void
  onSecret: (secret: string) => void
}) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(commonTexts)
  const { locale } = useLanguage()
  const { isPending, run } = useAction()
  const [isOpen, setOpen] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const remove = useRemoval()
  const params = { path: { id: webhook.id } }
  const { url, events, agentIds, description, isActive } = webhook

  const said = useServerText(requestsServerTexts)
  const test = () =>
    run(
      async () => {
        const { isDelivered, statusCode, error, durationMs } = await unwrap(
          api.POST('/api/webhooks/{id}/test', { params }),
        )
        const answer = statusCode === null ? t.noAnswer : `HTTP ${statusCode}`
        notifications.show({
          title: isDelivered ? t.testGood((durationMs ?? 0).toLocaleString(locale)) : t.testBad,
          message: [answer, said(error)].filter(Boolean).join(' · '),
          color: isDelivered ? 'ramal' : 'red',
          autoClose: 10_000,
        })
      },
      { stale: ['/api/webhooks'] },
    )

  async function confirmed() {
    const isDone = await run(async () =>
      onSecret((await unwrap(api.POST('/api/webhooks/{id}/rotate-secret', { params }))).secret),
    )
    if (isDone) setAsking(false)
  }

  const parts = [
    events.includes('*') ? t.everything : t.counted(events.length),
    agentIds && t.forAgents(agentIds.length),
    webhook.deviceId && t.ofDevice,
  ]
  return (
    <Paper withBorder p="md" component="li" style={{ listStyle: 'none' }}>
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0, flex: '1 1 300px' }}>
          <Group gap="xs">
            <Title order={2} size="h6" style={{ overflowWrap: 'anywhere' }}>
              {url}
            </Title>
            <StatusBadge tone={isActive ? 'good' : 'off'} word={isActive ? t.on : t.off} />
          </Group>
          {description && <Text size="sm">{description}</Text>}
          <Text size="sm" c="dimmed">
            {parts.filter(Boolean).join(' · ')}
          </Text>
        </div>
        <Group gap="xs">
          <Button
            size="xs"
            variant="light"
            leftSection={<IconSend size={14} aria-hidden />}
            loading={isPending}
            onClick={() => void test()}
          >
            {t.test}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconListDetails size={14} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t.deliveries}
          </Button>
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t.menu(url)}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
                {c.edit}
              </Menu.Item>
              <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setAsking(true)}>
                {t.rotate}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => remove([{ id: webhook.id, name: url }], removal)}
              >
                {c.remove}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      {isOpen && <Deliveries webhook={webhook} onClose={() => setOpen(false)} />}
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t.rotateQuestion}
        centered
        closeButtonProps={{ 'aria-label': c.close }}
      >
        <Stack>
          <Text size="sm">{t.rotateWarning}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)}>
              {c.cancel}
            </Button>
            <Button loading={isPending} onClick={() => void confirmed()}>
              {t.rotate}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Paper>
  )
}
