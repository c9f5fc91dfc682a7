// The imported lists of a campaign: what became of their rows, with a report row by row.
import { Alert, Anchor, Drawer, Group, Paper, Progress, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { CampaignImport, CampaignImportedRow } from '../../../../client/paths.ts'
import { errorMessage, queries } from '../../api.ts'
import { timeAgo } from '../../components/date-time.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { type RowResult, rowResults } from './campaign-states.ts'
import { campaignTexts } from './campaign-texts.ts'

const AGAIN_MS = 1000

/** Read again and again while one of them is running. */
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

export function Imports({ campaignId }: { campaignId: string }) {
  const imports = useImports(campaignId)
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <QueryResult query={imports}>
      {(all) => (
        <Stack gap="sm">
          {all.map((one) => (
            <OneImport key={one.id} one={one} onReport={() => setOpened(one.id)} />
          ))}
          {opened && <Report campaignId={campaignId} importId={opened} onClose={() => setOpened(null)} />}
        </Stack>
      )}
    </QueryResult>
  )
}

function OneImport({ one, onReport }: { one: CampaignImport; onReport: () => void }) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const { locale } = useLanguage()
  const figure = (n: number) => n.toLocaleString(locale)
  if (one.status === 'running')
    return (
      <Paper withBorder p="sm" role="status">
        <Text size="sm" mb={6} className="numbers">
          {t.importing(figure(one.rows))}
        </Text>
        <Progress value={100} animated aria-label={t.importing(figure(one.rows))} />
      </Paper>
    )
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="numbers">
          {t.imported(timeAgo(one.createdAt, locale))} · {t.rowsRead(figure(one.rows), one.rows === 1)}
        </Text>
        {one.rows > 0 && (
          <Anchor component="button" type="button" size="sm" onClick={onReport}>
            {t.report}
          </Anchor>
        )}
      </Group>
      {one.status === 'failed' && (
        <Alert color="red" variant="light" mt="xs" title={t.importFailed}>
          {one.error && errorMessage({ message: one.error })}
        </Alert>
      )}
      <Group gap="md" mt={6}>
        {rowResults.map((result) => (
          <Text key={result} size="sm" c={one[result] > 0 ? undefined : 'dimmed'} className="numbers">
            {s.results[result]}: <b>{figure(one[result])}</b>
          </Text>
        ))}
      </Group>
    </Paper>
  )
}

function Report({ campaignId, importId, onClose }: { campaignId: string; importId: string; onClose: () => void }) {
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
                        <Table.Td className="numbers">{row.number}</Table.Td>
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
