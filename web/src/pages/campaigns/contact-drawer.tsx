// One contact: its data, why it is due at that time, and its attempts with the decision for each.
import { Anchor, Drawer, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { Campaign, CampaignAttempt, CampaignContact } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { NameValueList } from '../../components/analysis-card.tsx'
import { formatDuration, RelativeTime } from '../../components/date-time.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { campaignServerTexts } from '../../i18n/server-texts/campaigns.ts'
import { useServerText } from '../../i18n/use-server-text.ts'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { contactTones } from './campaign-states.ts'
import { campaignTexts } from './campaign-texts.ts'
import { DecisionList } from './decision-list.tsx'
import { ResolveButtons } from './in-doubt.tsx'

export function ContactDrawer({
  campaign,
  contactId,
  onClose,
}: {
  campaign: Campaign
  contactId: string
  onClose: () => void
}) {
  const c = useTexts(commonTexts)
  const t = useTexts(campaignTexts)
  const contact = queries.useQuery(
    'get',
    '/api/campaigns/{id}/contacts/{contactId}',
    { params: { path: { id: campaign.id, contactId } } },
    { retry: false },
  )
  const number = contact.data?.phoneNumber
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={number ? formatNumber(number) : t.contacts}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <QueryResult query={contact}>
        {(data) => (
          <Stack gap="lg">
            <Facts contact={data} />
            {data.status === 'in_doubt' && <ResolveButtons contact={data} />}
            <Attempts campaignId={campaign.id} contactId={contactId} />
          </Stack>
        )}
      </QueryResult>
    </Drawer>
  )
}

function Facts({ contact }: { contact: CampaignContact }) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const { locale } = useLanguage()
  const { status, dueAt, dueReason, variables } = contact
  const isPast = dueAt !== null && Date.parse(dueAt) <= Date.now()
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge tone={contactTones[status]} word={s.contactStates[status]} />
      </Group>
      {status === 'waiting' && (
        <div>
          <Text size="xs" c="dimmed">
            {t.next}
          </Text>
          <Text size="sm" className="numbers">
            {dueAt && !isPast
              ? new Date(dueAt).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
              : t.now}
          </Text>
          <DecisionList decision={dueReason} />
        </div>
      )}
      <NameValueList of={variables} />
    </Stack>
  )
}

function Attempts({ campaignId, contactId }: { campaignId: string; contactId: string }) {
  const t = useTexts(campaignTexts)
  const pages = usePages<CampaignAttempt>(`/api/campaigns/${campaignId}/attempts`, { contactId })
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {t.attempts}
      </Title>
      <QueryResult query={pages}>
        {(attempts) =>
          attempts.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noAttempts}
            </Text>
          ) : (
            <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
              {attempts.map((attempt) => (
                <li key={attempt.id}>
                  <Attempt attempt={attempt} />
                </li>
              ))}
            </Stack>
          )
        }
      </QueryResult>
      <LoadMore pages={pages} />
    </Stack>
  )
}

function toneOf({ status, outcome }: CampaignAttempt): Tone {
  if (status === 'in_doubt') return 'warn'
  if (status === 'claimed' || status === 'dialing') return 'busy'
  if (outcome === 'answered') return 'good'
  return outcome === 'failed' ? 'bad' : 'off'
}

function Attempt({ attempt }: { attempt: CampaignAttempt }) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const serverText = useServerText(campaignServerTexts)
  const { tryNumber, status, outcome, detail, callId, callerId, decision, talkSeconds, createdAt } = attempt
  return (
    <Paper withBorder p="sm">
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600}>
            {t.attempt(tryNumber)}
          </Text>
          <StatusBadge
            tone={toneOf(attempt)}
            word={outcome && status === 'ended' ? s.outcomes[outcome] : s.attemptStates[status]}
          />
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed" component="div">
            <RelativeTime at={attempt.dialedAt ?? createdAt} />
          </Text>
          {talkSeconds !== null && (
            <Text size="sm" c="dimmed">
              · {t.talked(formatDuration(talkSeconds))}
            </Text>
          )}
          {callerId && (
            <Text size="sm" c="dimmed" className="numbers">
              · {t.callerId}: {formatNumber(callerId)}
            </Text>
          )}
        </Group>
        {detail && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {serverText(detail)}
          </Text>
        )}
        <DecisionList decision={decision} />
        {callId && (
          <Anchor component={Link} href={`/calls/${callId}`} size="sm">
            {t.seeCall}
          </Anchor>
        )}
      </Stack>
    </Paper>
  )
}
