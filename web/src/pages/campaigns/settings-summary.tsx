// A summary of a campaign's settings.
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Campaign } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { AgentName } from '../../components/agent-name.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useRulePacks } from '../calling-rules/rule-packs.ts'
import { nameOf } from '../devices/device-state.ts'
import { isOver } from './campaign-states.ts'
import { campaignTexts } from './campaign-texts.ts'
import { setupTexts } from './setup-texts.ts'
import { windowText } from './window-words.ts'

function useRouteName({ trunkId, deviceId }: Campaign): string | null {
  const trunks = queries.useQuery('get', '/api/trunks', {}, { enabled: trunkId !== null })
  const devices = queries.useQuery('get', '/api/gateway/devices', {}, { enabled: deviceId !== null })
  const device = devices.data?.find(({ id }) => id === deviceId)
  return trunks.data?.find(({ id }) => id === trunkId)?.name ?? (device ? nameOf(device) : null)
}

export function SettingsSummary({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignTexts)
  const u = useTexts(setupTexts)
  const { locale } = useLanguage()
  const route = useRouteName(campaign)
  const packs = useRulePacks()
  const { schedule, pacing, retries, disclosure, predial, callerId, rulesId, defaultCountry } = campaign
  const time = (at: string) => new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const country = new Intl.DisplayNames([locale], { type: 'region' }).of(defaultCountry) ?? defaultCountry
  const facts: [string, ReactNode][] = [
    [u.agent, <AgentName key="agent" id={campaign.agentId} />],
    [u.route, route ?? campaign.trunkId ?? campaign.deviceId ?? u.agentRoutes],
    [u.callerId, callerId ? formatNumber(callerId) : u.ownNumber],
    [u.country, country],
    [u.start, schedule.startAt ? time(schedule.startAt) : u.whenStarted],
    [u.end, schedule.endAt ? time(schedule.endAt) : u.whenDone],
    [u.windows, schedule.windows?.map((one) => windowText(one, u)).join('; ') ?? u.onlyRules],
    [u.rules, packs.data?.find(({ id }) => id === rulesId)?.name ?? rulesId],
    [
      u.pace,
      u.paceText(pacing.maxConcurrentCalls.toLocaleString(locale), pacing.callsPerSecond.toLocaleString(locale)),
    ],
    [u.retries, u.retriesText(retries.maxAttempts)],
    [u.disclosure, disclosure.isOn ? disclosure.text || u.disclosureDefault : u.disclosureOff],
    ...(predial ? ([[u.predial, predial.url]] as [string, ReactNode][]) : []),
  ]
  return (
    <Section
      title={t.settings}
      actions={
        !isOver(campaign.status) && (
          <Button
            component={Link}
            href={`/campaigns/${campaign.id}/edit?step=rules`}
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} aria-hidden />}
          >
            {t.edit}
          </Button>
        )
      }
    >
      <Stack gap={8} component="dl" m={0}>
        {facts.map(([name, value]) => (
          <Group key={name} justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
            <Text component="dt" size="sm" c="dimmed" maw="50%">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} ta="right" className="numbers" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
