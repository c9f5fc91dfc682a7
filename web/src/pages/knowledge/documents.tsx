// A knowledge base's documents: status, passages, deletion.
import { ActionIcon, Button, Group, Modal, Paper, Progress, Stack, Text, Title, Tooltip } from '@mantine/core'
import { IconEye, IconFileText } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { KnowledgeDocument } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { ServerWords } from '../../components/server-words.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { useHiddenRows, useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { servicesServerTexts } from '../../i18n/server-texts/services.ts'
import { knowledgeTexts } from './knowledge-texts.ts'

const AGAIN_MS = 2500
const tones = { ready: 'good', indexing: 'busy', failed: 'bad' } as const

export function Documents({ baseId }: { baseId: string }) {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const { locale } = useLanguage()
  const documents = usePages<KnowledgeDocument>(`/api/knowledge-bases/${baseId}/documents`)
  const [shown, setShown] = useState<KnowledgeDocument | null>(null)
  const { data = [], refetch } = documents
  const indexing = data.filter(({ status }) => status === 'indexing').length
  useEffect(() => {
    if (indexing === 0) return
    const timer = setInterval(() => void refetch(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [indexing, refetch])

  const remove = useRemoval()
  const removal = {
    pathOf: (id: string) => `/api/knowledge-bases/${baseId}/documents/${id}`,
    stale: ['/api/knowledge-bases'],
  }
  const hidden = useHiddenRows()
  const states = { ready: t.ready, indexing: t.indexing, failed: t.failedStatus }
  const columns: Column<KnowledgeDocument>[] = [
    {
      name: t.name,
      cell: ({ name, status, error }) => (
        <>
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {(error || status === 'indexing') && (
            <Text size="xs" c="dimmed">
              {error ? <ServerWords text={error} texts={servicesServerTexts} /> : t.indexingHint}
            </Text>
          )}
        </>
      ),
    },
    { name: t.status, cell: ({ status }) => <StatusBadge tone={tones[status]} word={states[status]} /> },
    { name: t.passages, cell: ({ passageCount }) => passageCount.toLocaleString(locale) },
    { name: t.changed, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
    {
      name: t.actions,
      isEnd: true,
      cell: (document) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Tooltip label={t.show}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`${t.show}: ${document.name}`}
              onClick={() => setShown(document)}
            >
              <IconEye size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={`${t.remove}: ${document.name}`}
            onClick={() => remove([document], removal)}
          >
            {t.remove}
          </Button>
        </Group>
      ),
    },
  ]
  return (
    <Stack gap="sm">
      {indexing > 0 && (
        <Stack gap={6} role="status">
          <Text size="sm">{t.indexingNow(indexing)}</Text>
          <Progress
            value={((data.length - indexing) / data.length) * 100 || 8}
            animated
            aria-label={t.indexingNow(indexing)}
          />
        </Stack>
      )}
      <QueryResult query={{ ...documents, data: documents.data?.filter(({ id }) => !hidden.has(id)) }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconFileText size={28} aria-hidden />} title={t.noDocuments} text={t.noDocumentsText} />
          ) : (
            <RecordTable label={t.documents} rows={rows} columns={columns} keyOf={({ id }) => id} />
          )
        }
      </QueryResult>
      <LoadMore pages={documents} />
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={shown?.name}
        size="xl"
        closeButtonProps={{ 'aria-label': t.close }}
      >
        {shown && <Passages baseId={baseId} documentId={shown.id} />}
      </Modal>
    </Stack>
  )
}

function Passages({ baseId, documentId }: { baseId: string; documentId: string }) {
  const t = useTexts(knowledgeTexts)
  const document = queries.useQuery('get', '/api/knowledge-bases/{id}/documents/{documentId}', {
    params: { path: { id: baseId, documentId } },
  })
  return (
    <QueryResult query={document}>
      {({ passages }) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t.passageCount(passages.length)}
          </Text>
          {passages.slice(0, 200).map(({ number, heading, content, questions }) => (
            <Paper key={number} withBorder p="sm">
              {heading && (
                <Title order={3} size="h6" mb={4}>
                  {heading}
                </Title>
              )}
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {content}
              </Text>
              {questions.length > 0 && (
                <Text size="xs" c="dimmed" mt="xs">
                  {questions.join(' · ')}
                </Text>
              )}
            </Paper>
          ))}
        </Stack>
      )}
    </QueryResult>
  )
}
