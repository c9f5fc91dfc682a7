// Searches a knowledge base as the agent would.
import { Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SearchResult } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { distinctPassages } from './distinct-passages.ts'
import { knowledgeTexts } from './knowledge-texts.ts'

export function TestSearch({ baseId }: { baseId: string }) {
  const t = useTexts(knowledgeTexts)
  const { isPending, run } = useAction()
  const [query, setQuery] = useState('')
  const [result, setResult] = useState<SearchResult | null>(null)
  const search = (event: FormEvent) => {
    event.preventDefault()
    if (query.trim() === '') return
    void run(async () =>
      setResult(
        await unwrap(
          api.POST('/api/knowledge-bases/{id}/search', { params: { path: { id: baseId } }, body: { query } }),
        ),
      ),
    )
  }
  return (
    <Section title={t.try} about={t.tryAbout}>
      <form onSubmit={search}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t.question}
            placeholder={t.questionExample}
            maxLength={2000}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Button type="submit" variant="light" loading={isPending}>
            {t.ask}
          </Button>
        </Group>
      </form>
      <div role="status">{result && <SearchResults result={result} />}</div>
    </Section>
  )
}

function SearchResults({ result: { by, note, passages } }: { result: SearchResult }) {
  const t = useTexts(knowledgeTexts)
  const { locale } = useLanguage()
  const percent = (score: number) => score.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })
  if (passages.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.nothing}
      </Text>
    )
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t.by[by]} {note}
      </Text>
      {distinctPassages(passages).map(
        ({ passage: { documentId, documentName, number, heading, content, score }, repeats }) => (
          <Paper key={`${documentId}/${number}`} withBorder p="sm">
            <Group justify="space-between" gap="xs" mb={4}>
              <Title order={3} size="h6">
                {[documentName, heading].filter(Boolean).join(' › ')}
              </Title>
              <Badge variant="light" tt="none">
                {t.score(percent(score))}
              </Badge>
            </Group>
            <Text size="sm" lineClamp={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {content}
            </Text>
            {repeats > 0 && (
              <Text size="xs" c="dimmed" mt={4}>
                {t.repeated(repeats)}
              </Text>
            )}
          </Paper>
        ),
      )}
    </Stack>
  )
}
