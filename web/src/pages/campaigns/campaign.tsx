// A campaign's page: status with its reason, live progress, outcomes, contacts in doubt, contacts, lists and settings.
import { Alert, Button, Grid, Group, Menu, Paper, Stack, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconDownload,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
} from '@tabler/icons-react'
import { Link, useParams } from 'wouter'
import type { Campaign as CampaignRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { useResetLists } from '../../components/list/use-server-rows.ts'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { ConfirmButton, useAction, useLeavePage } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { campaignServerTexts } from '../../i18n/server-texts/campaigns.ts'
import { useServerText } from '../../i18n/use-server-text.ts'
import { useMay, useMayChange, withOrganization } from '../../organization.ts'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { campaignTones, isOver } from './campaign-states.ts'
import { campaignTexts } from './campaign-texts.ts'
import { campaignsTexts } from './campaigns-texts.ts'
import { ContactsSection } from './contacts-section.tsx'
import { Imports } from './imports.tsx'
import { InDoubt } from './in-doubt.tsx'
import { ProgressFigures } from './progress-figures.tsx'
import { SettingsSummary } from './settings-summary.tsx'
import { useCampaignActs } from './use-campaign-acts.ts'

export function Campaign() {
  const t = useTexts(campaignTexts)
  const list = useTexts(campaignsTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/campaigns/{id}', { params: { path: { id } } })
  if (reading.data) return <CampaignPage key={id} campaign={reading.data} />
  return (
    <Page title={t.campaign} back={{ to: '/campaigns', name: list.title }}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

function CampaignPage({ campaign }: { campaign: CampaignRecord }) {
  const t = useTexts(campaignTexts)
  const list = useTexts(campaignsTexts)
  return (
    <Page
      title={campaign.name}
      back={{ to: '/campaigns', name: list.title }}
      about={<Status campaign={campaign} />}
      isForAll
      actions={<Actions campaign={campaign} />}
    >
      <Advice campaign={campaign} />
      <InDoubt campaign={campaign} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <ProgressFigures campaign={campaign} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <SettingsSummary campaign={campaign} />
            <Section
              title={t.lists}
              actions={
                !isOver(campaign.status) && (
                  <Button
                    component={Link}
                    href={`/campaigns/${campaign.id}/edit?step=list`}
                    variant="default"
                    size="xs"
                    leftSection={<IconPlus size={14} aria-hidden />}
                  >
                    {t.addList}
                  </Button>
                )
              }
            >
              <Imports campaignId={campaign.id} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
      <ContactsSection campaign={campaign} />
    </Page>
  )
}

function Status({ campaign: { status, statusReason, schedule } }: { campaign: CampaignRecord }) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const { locale } = useLanguage()
  const word = statusReason ? t.stateWith(s.states[status], s.reasons[statusReason]) : s.states[status]
  const { startAt } = schedule
  return (
    <Group gap="xs" mt={6}>
      <StatusBadge tone={campaignTones[status]} word={word} />
      {status === 'scheduled' && startAt && (
        <Text size="sm">
          {t.startsAt(new Date(startAt).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' }))}
        </Text>
      )}
    </Group>
  )
}

/** Why the campaign stopped, and what to do about it. */
function Advice({ campaign: { status, statusReason, statusDetail } }: { campaign: CampaignRecord }) {
  const s = useTexts(campaignStateTexts)
  const serverText = useServerText(campaignServerTexts)
  if (!statusReason || (status !== 'paused' && statusReason === 'user')) return null
  if (status !== 'paused' && status !== 'canceled') return null
  const isFault = statusReason !== 'user'
  return (
    <Paper role={isFault ? 'alert' : undefined}>
      <Alert
        variant="light"
        color={isFault ? 'red' : 'gray'}
        icon={isFault ? <IconAlertTriangle aria-hidden /> : <IconPlayerPause aria-hidden />}
        styles={{ message: { color: 'var(--mantine-color-text)' } }}
      >
        <Text size="sm">{s.advice[statusReason]}</Text>
        {statusDetail && (
          <Text size="sm" mt={4} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {serverText(statusDetail)}
          </Text>
        )}
      </Alert>
    </Paper>
  )
}

function Actions({ campaign }: { campaign: CampaignRecord }) {
  const t = useTexts(campaignTexts)
  const list = useTexts(campaignsTexts)
  const { isPending, act } = useCampaignActs()
  const { status, id } = campaign
  const mayExport = useMay('exports:read')
  const mayChange = useMayChange()
  const results = campaign.contacts.total > 0 && mayExport && <Results id={id} />
  if (!mayChange) return results
  return (
    <>
      {results}
      {!isOver(status) && status !== 'draft' && (
        <ConfirmButton
          question={t.cancelQuestion}
          warning={t.cancelWarning}
          confirm={t.cancel}
          variant="default"
          color="gray"
          onConfirm={() => act(campaign, 'cancel', t.canceled)}
        >
          {t.cancel}
        </ConfirmButton>
      )}
      {status === 'draft' && (
        <Button component={Link} href={`/campaigns/${id}/edit`} leftSection={<IconPencil size={16} aria-hidden />}>
          {t.goOn}
        </Button>
      )}
      {(status === 'running' || status === 'scheduled') && (
        <Button
          loading={isPending}
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          onClick={() => void act(campaign, 'pause', list.isPaused)}
        >
          {t.pause}
        </Button>
      )}
      {status === 'paused' && (
        <Button
          loading={isPending}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => void act(campaign, 'resume', list.isResumed)}
        >
          {t.resume}
        </Button>
      )}
      <CampaignMenu campaign={campaign} />
    </>
  )
}

function Results({ id }: { id: string }) {
  const t = useTexts(campaignTexts)
  const formats = [
    ['csv', t.asCsv, IconFileTypeCsv],
    ['xlsx', t.asXlsx, IconFileSpreadsheet],
  ] as const
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {t.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(([format, label, Icon]) => (
          <Menu.Item
            key={format}
            component="a"
            href={withOrganization(`/api/campaigns/${id}/results?format=${format}`)}
            download
            leftSection={<Icon size={16} aria-hidden />}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A running campaign must be paused or canceled before it can be deleted. */
function CampaignMenu({ campaign: { id, name, status } }: { campaign: CampaignRecord }) {
  const t = useTexts(campaignTexts)
  const c = useTexts(commonTexts)
  const { run } = useAction()
  const leave = useLeavePage()
  const resetLists = useResetLists()
  const onConfirm = () =>
    run(
      async () => {
        await unwrap(api.DELETE('/api/campaigns/{id}', { params: { path: { id } } }))
        resetLists()
        leave('/campaigns', ['/api/campaigns'])
      },
      { success: c.removed },
    )
  const isOn = status === 'running' || status === 'scheduled'
  const removal = { name: c.remove, question: t.removeQuestion(name), warning: t.removeWarning, onConfirm }
  return <MoreMenu id={id} entries={[]} removal={isOn ? null : removal} />
}
