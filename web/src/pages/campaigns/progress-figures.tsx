// A campaign's live figures: done, waiting, answer rate, share of short calls; and the outcomes.
import { Paper, Stack, Text } from '@mantine/core'
import type { Campaign } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import classes from './campaign.module.css'
import { campaignTexts } from './campaign-texts.ts'
import { campaignsTexts } from './campaigns-texts.ts'
import { OutcomesChart } from './outcomes-chart.tsx'
import { ProgressBar } from './progress-bar.tsx'

/** Polling interval: a call that ends without completing its contact emits no campaign event. */
const AGAIN_MS = 5000

export function ProgressFigures({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignTexts)
  const list = useTexts(campaignsTexts)
  const { locale } = useLanguage()
  const progress = queries.useQuery(
    'get',
    '/api/campaigns/{id}/progress',
    { params: { path: { id: campaign.id } } },
    { refetchInterval: campaign.status === 'running' ? AGAIN_MS : false },
  )
  const { total, waiting, calling, in_doubt } = campaign.contacts
  const figure = (n: number) => n.toLocaleString(locale)
  const share = (value: number | null) =>
    value === null ? '–' : value.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <Stack gap="lg">
      <Section title={t.figures} about={list.doneOf(figure(total - waiting - calling - in_doubt), figure(total))}>
        <ProgressBar campaign={campaign} />
        <QueryResult query={progress}>
          {({ answerRate, shortCallShare, liveCalls }) => (
            <div className={classes.figures}>
              <Figure name={t.liveCalls} value={figure(liveCalls)} />
              <Figure name={t.left} value={figure(waiting)} />
              <Figure
                name={t.answerRate}
                value={share(answerRate)}
                about={answerRate === null ? t.noFigures : t.recent}
              />
              <Figure
                name={t.shortCalls}
                value={share(shortCallShare)}
                about={shortCallShare === null ? t.noFigures : t.recentAnswered}
              />
            </div>
          )}
        </QueryResult>
      </Section>
      {progress.data && <OutcomesChart progress={progress.data} />}
    </Stack>
  )
}

function Figure({ name, value, about }: { name: string; value: string; about?: string }) {
  return (
    <Paper withBorder p="sm">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <div className={`${classes.figure} numbers`}>{value}</div>
      {about && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
    </Paper>
  )
}
