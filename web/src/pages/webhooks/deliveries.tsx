// The deliveries of a webhook, with responses and redelivery.
import { Button, Code, Drawer, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Webhook, WebhookDelivery } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { requestsServerTexts } from '../../i18n/server-texts/requests.ts'
import { useServerText } from '../../i18n/use-server-text.ts'
import { eventWords, webhooksTexts } from './webhooks-texts.ts'

type State = WebhookDelivery['status']
const tones: Readonly<Record<State, Tone>> = {
  pending: 'busy',
  delivering: 'busy',
  delivered: 'good',
  failed: 'warn',
  dead: 'bad',
}

export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(commonTexts)
  const { run } = useAction()
  const [state, setState] = useState<string | null>(null)
  const path = `/api/webhooks/${webhook.id}/deliveries`
  const deliveries = usePages<WebhookDelivery>(path, state ? { status: state } : {}, 25)
  const again = ({ id }: WebhookDelivery) =>
    run(
      () =>
        unwrap(
          api.POST('/api/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
            params: { path: { id: webhook.id, deliveryId: id } },
          }),
        ),
      { success: t.againDone, stale: [path] },
    )
  const columns: Column<WebhookDelivery>[] = [
    {
      name: t.event,
      cell: ({ eventType }) => (
        <>
          <Text size="sm">{eventWords(t, eventType)}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {eventType}
          </Text>
        </>
      ),
    },
    { name: t.when, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      name: c.status,
      cell: ({ status, nextAttemptAt }) => (
        <>
          <StatusBadge tone={tones[status]} word={t.state[status]} />
          {status === 'failed' && nextAttemptAt && (
            <Text size="xs" c="dimmed">
              {t.next}: <RelativeTime at={nextAttemptAt} />
            </Text>
          )}
        </>
      ),
    },
    { name: t.attempts, isEnd: true, cell: ({ attempts }) => attempts },
    { name: t.answer, cell: (delivery) => <DeliveryResponse delivery={delivery} /> },
    {
      name: c.actions,
      isEnd: true,
      cell: (delivery) => (
        <Button
          size="xs"
          variant="default"
          aria-label={t.againNamed(eventWords(t, delivery.eventType))}
          onClick={() => void again(delivery)}
        >
          {t.again}
        </Button>
      ),
    },
  ]
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={920}
      title={t.deliveriesOf(webhook.url)}
      closeButtonProps={{ 'aria-label': c.close }}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      <Stack>
        <Select
          label={t.filter}
          placeholder={t.anyState}
          clearable
          maw={280}
          value={state}
          onChange={setState}
          data={(Object.keys(tones) as State[]).map((value) => ({ value, label: t.state[value] }))}
        />
        <QueryResult query={deliveries}>
          {(rows) =>
            rows.length === 0 ? (
              <Text c="dimmed" size="sm">
                {t.deliveriesEmpty}
              </Text>
            ) : (
              <RecordTable label={t.deliveries} rows={rows} columns={columns} keyOf={({ id }) => id} />
            )
          }
        </QueryResult>
        <LoadMore pages={deliveries} />
      </Stack>
    </Drawer>
  )
}

function DeliveryResponse({
  delivery: { statusCode, error, response, durationMs, attempts },
}: {
  delivery: WebhookDelivery
}) {
  const t = useTexts(webhooksTexts)
  const said = useServerText(requestsServerTexts)
  if (attempts === 0) return '–'
  return (
    <>
      <Text size="sm" className="numbers">
        {statusCode === null ? t.noAnswer : `HTTP ${statusCode}`}
        {durationMs !== null && (
          <Text span size="xs" c="dimmed">
            {' '}
            {durationMs} ms
          </Text>
        )}
      </Text>
      {(error || response) && (
        <details>
          <summary style={{ cursor: 'pointer', fontSize: 12 }}>{t.details}</summary>
          <Code block tabIndex={0} fz={11} mah={160} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {[said(error), response].filter(Boolean).join('\n')}
          </Code>
        </details>
      )}
    </>
  )
}
