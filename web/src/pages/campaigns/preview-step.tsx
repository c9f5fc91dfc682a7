// The dry run: who would be called when, who would not and why, what blocks the start; and the start button.
import { Alert, Anchor, Button, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { Campaign, CampaignPreview } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { formatNumber } from '../../components/phone-number.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { campaignsErrorTexts } from '../../i18n/error-texts/campaigns.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import classes from './campaign.module.css'
import { dataOf } from './contacts-section.tsx'
import { DecisionList } from './decision-list.tsx'
import { useImports } from './import-report.tsx'
import { setupTexts } from './setup-texts.ts'
import { useCampaignActs } from './use-campaign-acts.ts'
import { type Step, stepOf } from './wizard-form.ts'
import { wizardTexts } from './wizard-texts.ts'

const SAMPLE = 10
const NEAR_THRESHOLD = 0.5

export function PreviewStep({ campaign, goTo }: { campaign: Campaign; goTo: (step: Step) => void }) {
  const t = useTexts(wizardTexts)
  const imports = useImports(campaign.id)
  const isImporting = imports.data?.some(({ status }) => status === 'running') ?? false
  const preview = queries.useQuery(
    'post',
    '/api/campaigns/{id}/preview',
    { params: { path: { id: campaign.id } }, body: { contacts: SAMPLE } },
    { retry: false, staleTime: 0 },
  )
  const { refetch } = preview
  useEffect(() => {
    if (!isImporting) void refetch()
  }, [isImporting, refetch])
  return (
    <Section title={t.previewTitle} about={t.previewAbout}>
      {isImporting && (
        <Alert color="blue" variant="light" role="status">
          {t.importRunning}
        </Alert>
      )}
      <QueryResult query={preview}>
        {(data) => (
          <Stack gap="lg">
            <Problems preview={data} goTo={goTo} />
            <Figures preview={data} />
            <Start campaign={campaign} preview={data} isImporting={isImporting} />
            <Sample campaign={campaign} preview={data} />
          </Stack>
        )}
      </QueryResult>
    </Section>
  )
}

function Problems({ preview: { problems }, goTo }: { preview: CampaignPreview; goTo: (step: Step) => void }) {
  const t = useTexts(wizardTexts)
  const { language } = useLanguage()
  if (problems.length === 0) return null
  const words: Readonly<Record<string, string>> = campaignsErrorTexts[language]
  const text = ({ code, message }: { code: string; message: string }) => {
    const known = words[code]
    return known && !known.includes('{') ? known : message
  }
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={t.problems}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {problems.map((problem) => (
          <Group key={`${problem.field} ${problem.code}`} component="li" gap="xs">
            <Text size="sm">{text(problem)}</Text>
            <Anchor
              component="button"
              type="button"
              size="sm"
              underline="always"
              onClick={() => goTo(stepOf(problem.field))}
            >
              {t.solve}: {t.steps[stepOf(problem.field)]}
            </Anchor>
          </Group>
        ))}
      </Stack>
    </Alert>
  )
}

const useTime = () => {
  const { locale } = useLanguage()
  return (at: string | null) =>
    at === null ? '–' : new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
}

function Figures({ preview }: { preview: CampaignPreview }) {
  const t = useTexts(wizardTexts)
  const { locale } = useLanguage()
  const time = useTime()
  const { usage } = preview
  const figures = [
    [t.callableNow, preview.callableNow],
    [t.later, preview.later],
    [t.suppressed, preview.suppressed],
    [t.never, preview.never],
    [t.rejected, preview.rejected],
  ] as const
  const isNear = usage.threshold !== null && usage.attempts >= usage.threshold * NEAR_THRESHOLD
  return (
    <Stack gap="sm">
      <div className={classes.figures}>
        {figures.map(([name, value]) => (
          <Paper key={name} withBorder p="sm">
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <div className={`${classes.figure} numbers`}>{value.toLocaleString(locale)}</div>
          </Paper>
        ))}
      </div>
      <Group gap="xl" style={{ rowGap: 4 }}>
        <Text size="sm">
          {t.firstAt}: <b>{time(preview.firstAt)}</b>
        </Text>
        <Text size="sm">
          {t.endsAt}: <b>{time(preview.estimatedEndAt)}</b>
        </Text>
      </Group>
      {isNear && usage.threshold !== null && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {t.usage(usage.attempts.toLocaleString(locale), usage.threshold.toLocaleString(locale))}
        </Alert>
      )}
    </Stack>
  )
}

function Start({
  campaign,
  preview,
  isImporting,
}: {
  campaign: Campaign
  preview: CampaignPreview
  isImporting: boolean
}) {
  const t = useTexts(wizardTexts)
  const u = useTexts(setupTexts)
  const c = useTexts(commonTexts)
  const { locale } = useLanguage()
  const [, go] = useLocation()
  const { isPending, act } = useCampaignActs()
  const [isOpen, { open, close }] = useDisclosure(false)
  const [now] = useState(() => Date.now())
  if (campaign.status !== 'draft') return null
  const { startAt } = campaign.schedule
  const isLater = startAt !== null && startAt !== undefined && Date.parse(startAt) > now
  const label = isLater ? t.schedule : t.start
  const contacts = t.contactCount(preview.total.toLocaleString(locale), preview.total === 1)
  const callerId = campaign.callerId ? formatNumber(campaign.callerId) : u.ownNumber
  const start = async () => {
    const isDone = await act(campaign, 'start', isLater ? t.scheduled : t.started)
    close()
    if (isDone) go(`/campaigns/${campaign.id}`)
  }
  return (
    <>
      <Group>
        <Button
          size="md"
          disabled={!preview.canStart || isImporting}
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          onClick={open}
        >
          {label}
        </Button>
      </Group>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t.startQuestion}
        centered
        closeButtonProps={{ 'aria-label': c.close }}
      >
        <Stack>
          <Text size="sm">{t.startText(contacts, callerId)}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {c.cancel}
            </Button>
            <Button loading={isPending} onClick={() => void start()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

const tones = { now: 'good', later: 'busy', suppressed: 'off', never: 'warn' } as const satisfies Readonly<
  Record<CampaignPreview['sample'][number]['result'], Tone>
>

function Sample({ campaign, preview: { sample } }: { campaign: Campaign; preview: CampaignPreview }) {
  const t = useTexts(wizardTexts)
  const time = useTime()
  if (sample.length === 0) return null
  return (
    <Stack gap="sm" component="section" aria-label={t.sample}>
      <Text fw={600} size="sm">
        {t.sample}
      </Text>
      {sample.map(({ contactId, phoneNumber, result, at, decision, greeting }) => (
        <Paper key={contactId} withBorder p="sm">
          <Group justify="space-between" gap="xs">
            <Person campaign={campaign} contactId={contactId} phoneNumber={phoneNumber} />
            <Group gap="xs">
              {result === 'later' && (
                <Text size="sm" className="numbers">
                  {time(at)}
                </Text>
              )}
              <StatusBadge tone={tones[result]} word={t.results[result]} />
            </Group>
          </Group>
          {greeting && (
            <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
              “{greeting}”
            </Text>
          )}
          {result !== 'now' && <DecisionList decision={decision} isShort />}
        </Paper>
      ))}
    </Stack>
  )
}

/** The name from the list, shown before the number. */
function Person({ campaign, contactId, phoneNumber }: { campaign: Campaign; contactId: string; phoneNumber: string }) {
  const params = { path: { id: campaign.id, contactId } }
  const { data: contact } = queries.useQuery('get', '/api/campaigns/{id}/contacts/{contactId}', { params })
  const data = contact ? dataOf(contact, campaign) : ''
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {data && <b>{data} · </b>}
      <span className="numbers">{formatNumber(phoneNumber)}</span>
    </Text>
  )
}
