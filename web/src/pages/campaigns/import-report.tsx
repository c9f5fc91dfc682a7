// The imports of a campaign, and the row-by-row report of one.
import { Drawer, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { CampaignImportedRow } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { type RowResult, rowResults } from './campaign-states.ts'
import { campaignTexts } from './campaign-texts.ts'

const AGAIN_MS = 1000

/** The row number as spreadsheet programs show it; the position if the list has no lines. */
export const lineOf = ({ line, number }: CampaignImportedRow): number => line ?? number

/** Polls while an import is running. */
export const useImports = (id: string) =>
  queries.useQuery(
    'get',
    '/api/campaigns/{id}/imports',
    { params: { path: { id } } },
    {
      enabled: id !== '',
      refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'running') ? AGAIN_MS : false),
    },
  )

export function ImportReport({
  campaignId,
  importId,
  onClose,
}: {
  campaignId: string
  importId: string
  onClose: () => void
}) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const c = useTexts(commonTexts)
  const [result, setResult] = useState<RowResult | 'all'>('rejected')
  const pages = usePages<CampaignImportedRow>(
    `/api/campaigns/${campaignId}/imports/${importId}/rows`,
    result === 'all' ? {} : { result },
    100,
  )
  const words: Readonly<Record<string, string>> = s.rowReasons
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={t.reportTitle}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <Stack>
        <SegmentedControl
          aria-label={t.result}
          value={result}
          onChange={(value) => setResult(value as RowResult | 'all')}
          orientation="horizontal"
          styles={{ root: { flexWrap: 'wrap' } }}
          data={[
            ...rowResults.toReversed().map((value) => ({ value: value as string, label: s.results[value] })),
            { value: 'all', label: t.allRows },
          ]}
        />
        <QueryResult query={pages}>
          {(rows) =>
            rows.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t.reportNone}
              </Text>
            ) : (
              <Table.ScrollContainer
                minWidth={420}
                scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t.reportTitle } }}
              >
                <Table verticalSpacing={6} aria-label={t.reportTitle}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t.row}</Table.Th>
                      <Table.Th>{t.result}</Table.Th>
                      <Table.Th>{t.reason}</Table.Th>
                      <Table.Th>{t.data}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map((row) => (
                      <Table.Tr key={row.number}>
                        <Table.Td className="numbers">{lineOf(row)}</Table.Td>
                        <Table.Td>{s.results[row.result]}</Table.Td>
                        <Table.Td>{row.reason ? (words[row.reason] ?? row.reason) : '–'}</Table.Td>
                        <Table.Td style={{ overflowWrap: 'anywhere' }}>
                          {Object.values(row.cells).filter(Boolean).join(' · ')}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )
          }
        </QueryResult>
        <LoadMore pages={pages} />
      </Stack>
    </Drawer>
  )
}
