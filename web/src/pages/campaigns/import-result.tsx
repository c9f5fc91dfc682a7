// The result of an import: how many rows joined the campaign, and why the others did not.
import { Alert, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { IconDownload, IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import type { Campaign, CampaignImport, CampaignImportedRow } from '../../../../client/paths.ts'
import { errorMessage, queries } from '../../api.ts'
import { useExport } from '../../components/list/use-export.ts'
import { allPages } from '../../components/list/use-server-rows.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { campaignTexts } from './campaign-texts.ts'
import { ImportReport, lineOf, useImports } from './import-report.tsx'
import { MissingVariables } from './missing-variables.tsx'
import { wizardTexts } from './wizard-texts.ts'

/** Whether the report is open. */
type ReportState = { isReport: boolean; setReport: (isOpen: boolean) => void }

/** "72 of 200 rows are in the campaign", with the rejected rows to view and download. */
export function ImportResult({ one, isReport, setReport }: { one: CampaignImport } & ReportState) {
  const t = useTexts(campaignTexts)
  const { locale } = useLanguage()
  const figure = (n: number) => n.toLocaleString(locale)
  if (one.status === 'running')
    return (
      <div role="status">
        <Text size="sm" mb={6} className="numbers">
          {t.importing(figure(one.rows))}
        </Text>
        <Progress value={100} animated aria-label={t.importing(figure(one.rows))} />
      </div>
    )
  const left = [
    one.merged > 0 && t.mergedRows(figure(one.merged), one.merged === 1),
    one.rejected > 0 && t.rejectedRows(figure(one.rejected)),
    one.suppressed > 0 && t.suppressedRows(figure(one.suppressed), one.suppressed === 1),
  ].filter((text) => text !== false)
  return (
    <Stack gap="xs">
      {one.status === 'failed' && (
        <Alert color="red" variant="light" title={t.importFailed}>
          {one.error && errorMessage({ message: one.error })}
        </Alert>
      )}
      <Text size="sm" className="numbers">
        <b>{t.enteredRows(figure(one.accepted), figure(one.rows), one.accepted === 1)}</b>
        {left.length > 0 && ` · ${left.join(' · ')}`}
      </Text>
      {one.rows > 0 && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconListDetails size={14} aria-hidden />}
            onClick={() => setReport(true)}
          >
            {t.report}
          </Button>
          {one.rejected > 0 && <RejectedRows one={one} />}
        </Group>
      )}
      {isReport && <ImportReport campaignId={one.campaignId} importId={one.id} onClose={() => setReport(false)} />}
    </Stack>
  )
}

/** Downloads the rejected rows: line, reason, and the original cells. */
function RejectedRows({ one: { campaignId, id } }: { one: CampaignImport }) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const words: Readonly<Record<string, string>> = s.rowReasons
  const campaign = queries.useQuery('get', '/api/campaigns/{id}', { params: { path: { id: campaignId } } })
  const columns = campaign.data?.columns ?? []
  const file = useExport<CampaignImportedRow>('rejected-rows', [
    { name: t.row, csv: lineOf },
    { name: t.reason, csv: ({ reason }) => words[reason ?? ''] ?? reason },
    ...columns.map((name) => ({ name, csv: ({ cells }: CampaignImportedRow) => cells[name] ?? '' })),
  ])
  const path = `/api/campaigns/${campaignId}/imports/${id}/rows`
  return (
    <Button
      size="xs"
      variant="default"
      disabled={!campaign.data}
      loading={file.isExporting}
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => void file.start((signal) => allPages<CampaignImportedRow>(path, { result: 'rejected' }, signal))}
    >
      {t.downloadRejected}
    </Button>
  )
}

/**
 * Shown right after the upload, before the wizard continues. The import runs on the server, so closing this dialog
 * loses nothing.
 */
export function ImportResultDialog({
  campaign,
  importId,
  onClose,
}: {
  campaign: Campaign
  importId: string
  onClose: () => void
}) {
  const t = useTexts(campaignTexts)
  const w = useTexts(wizardTexts)
  const c = useTexts(commonTexts)
  const imports = useImports(campaign.id)
  const [isReport, setReport] = useState(false)
  const { agentId, columns } = campaign
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!isReport} // Escape then closes the report on top
      title={t.resultTitle}
      size="lg"
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <Stack>
        <QueryResult query={imports}>
          {(all) => {
            const one = all.find(({ id }) => id === importId)
            return one ? <ImportResult one={one} isReport={isReport} setReport={setReport} /> : null
          }}
        </QueryResult>
        {agentId && columns.length > 0 && <MissingVariables agentId={agentId} columns={columns} />}
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            {w.goOn}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
