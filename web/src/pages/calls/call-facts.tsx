// A call's metadata and end reason.
import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { AgentName } from '../../components/agent-name.tsx'
import { NameValueList } from '../../components/analysis-card.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { formatDuration } from '../../components/date-time.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { Section } from '../../components/section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMayOpen } from '../../organization.ts'
import { nameOf } from '../devices/device-state.ts'
import { CallStatus } from './call-status.tsx'
import { callTexts } from './call-texts.ts'
import { endReasonTexts } from './end-reason-texts.ts'
import { endReasonText, isProblem } from './end-reasons.ts'

/** What went wrong and how to fix it. For a normal end, the chip in the header says enough. */
export function EndReasonAlert({ call }: { call: Call }) {
  const reason = endReasonText(useTexts(endReasonTexts), call.endReason)
  if (!reason || !isProblem(call.endReason)) return null
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={reason.short}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <Text size="sm">{reason.means ?? reason.short}</Text>
      {call.endDetail && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {call.endDetail}
          {call.sipCode !== null && ` (SIP ${call.sipCode})`}
        </Text>
      )}
    </Alert>
  )
}

/** The names of the call's trunk and device; undefined while loading, or if they have been deleted. */
function useLineNames({ trunkId, deviceId }: Call) {
  const trunks = queries.useQuery('get', '/api/trunks', {}, { enabled: trunkId !== null })
  const devices = queries.useQuery('get', '/api/gateway/devices', {}, { enabled: deviceId !== null })
  const device = devices.data?.find(({ id }) => id === deviceId)
  return { trunk: trunks.data?.find(({ id }) => id === trunkId)?.name, device: device && nameOf(device) }
}

/** Links a campaign call to its contact. */
function campaignLink({ metadata }: Call, label: string): ReactNode {
  const { campaignId, contactId } = (metadata ?? {}) as { campaignId?: unknown; contactId?: unknown }
  if (typeof campaignId !== 'string' || !campaignId.startsWith('cmp_')) return null
  const query = typeof contactId === 'string' ? `?contact=${encodeURIComponent(contactId)}` : ''
  return (
    <Anchor key="campaign" component={Link} href={`/campaigns/${encodeURIComponent(campaignId)}${query}`} size="sm">
      {label}
    </Anchor>
  )
}

export function CallFacts({ call }: { call: Call }) {
  const t = useTexts(callTexts)
  const shared = useTexts(commonTexts)
  const { locale } = useLanguage()
  const names = useLineNames(call)
  const mayOpen = useMayOpen()
  const time = (at: string | null) =>
    at === null ? null : new Date(at).toLocaleString(locale, { dateStyle: 'short', timeStyle: 'medium' })
  const rangSeconds =
    call.answeredAt === null ? null : (Date.parse(call.answeredAt) - Date.parse(call.startedAt)) / 1000
  const facts: [string, ReactNode][] = [
    [shared.status, <CallStatus key="status" status={call.status} />],
    [shared.agent, <AgentName key="agent" id={call.agentId} />],
    [
      t.from,
      call.fromNumber
        ? formatNumber(call.fromNumber)
        : call.direction === 'inbound' && call.channel === 'sip'
          ? t.withheld
          : null,
    ],
    [t.to, call.channel === 'web' ? null : formatNumber(call.toNumber)],
    [t.channelName, `${t.channel[call.channel]} · ${t.direction[call.direction]}`],
    [t.started, time(call.startedAt)],
    [t.answered, time(call.answeredAt)],
    [t.rang, call.channel === 'sip' && rangSeconds !== null ? formatDuration(rangSeconds) : null],
    [t.ended, time(call.endedAt)],
    [t.duration, call.durationSeconds === null ? null : formatDuration(call.durationSeconds)],
    [t.answeredByName, call.answeredBy && t.answeredBy[call.answeredBy]],
    [t.hungUpBy, call.hangupBy && t.hangupBy[call.hangupBy]],
    [t.sipCode, call.sipCode],
    [
      t.trunk,
      call.trunkId && mayOpen('/trunks') && (
        <Anchor key="trunk" component={Link} href={`/trunks/${call.trunkId}`} size="sm">
          {names.trunk ?? call.trunkId}
        </Anchor>
      ),
    ],
    [
      t.device,
      call.deviceId && mayOpen('/devices') && (
        <Anchor key="device" component={Link} href="/devices" size="sm">
          {names.device ?? call.deviceId}
        </Anchor>
      ),
    ],
    [t.campaign, mayOpen('/campaigns') && campaignLink(call, t.openCampaign)],
    [
      t.conversation,
      call.conversationId && (
        <Anchor key="conversation" component={Link} href={`/conversations/${call.conversationId}`} size="sm">
          {t.openConversation}
        </Anchor>
      ),
    ],
  ]
  return (
    <Section title={t.facts}>
      <Stack gap={8} component="dl" m={0}>
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
          .map(([name, value]) => (
            <Group key={name} justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
              <Text component="dt" size="sm" c="dimmed" style={{ flex: 'none' }}>
                {name}
              </Text>
              <Text component="dd" size="sm" m={0} ta="right" className="numbers" style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </Group>
          ))}
      </Stack>
      <CopyableText text={call.id} />
    </Section>
  )
}

/** Variables and metadata sent with the call. */
export function CallValues({ call }: { call: Call }) {
  const t = useTexts(callTexts)
  // The header already marks test calls.
  const { isTest: _, ...metadata } = call.metadata ?? {}
  const some = (values: Record<string, unknown> | null) => values !== null && Object.keys(values).length > 0
  return (
    <>
      {some(call.variables) && (
        <Section title={t.variables}>
          <NameValueList of={call.variables ?? {}} />
        </Section>
      )}
      {some(metadata) && (
        <Section title={t.metadata}>
          <NameValueList of={metadata} />
        </Section>
      )}
    </>
  )
}
