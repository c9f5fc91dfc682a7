// The post-call analysis: summary, success and extracted fields.
import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react'
import type { Conversation } from '../../../client/paths.ts'
import { api, unwrap } from '../api.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { Section } from './section.tsx'
import { useAction } from './use-action.tsx'

export function AnalysisCard({ conversation }: { conversation: Conversation }) {
  const t = useTexts(analysisTexts)
  const { isPending, run } = useAction()
  const { analysis, analysisStatus, status, id } = conversation
  const isOver = status !== 'active'
  const isAtWork = analysisStatus === 'pending' || analysisStatus === 'processing'
  const again = () =>
    run(() => unwrap(api.POST('/api/conversations/{id}/analyse', { params: { path: { id } } })), {
      success: t.asked,
      stale: ['/api/conversations'],
    })
  return (
    <Section title={t.title}>
      {analysis ? (
        <Stack gap="md">
          {analysis.success !== null && (
            <div>
              <Badge
                size="lg"
                variant="light"
                color={analysis.success ? 'teal' : 'red'}
                leftSection={analysis.success ? <IconCircleCheck size={16} /> : <IconCircleX size={16} />}
              >
                {analysis.success ? t.success : t.failure}
              </Badge>
              {analysis.successReason && (
                <Text size="sm" mt={6}>
                  {analysis.successReason}
                </Text>
              )}
            </div>
          )}
          {analysis.summary && (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {analysis.summary}
            </Text>
          )}
          {analysis.fields && Object.keys(analysis.fields).length > 0 && (
            <div>
              <Text size="xs" fw={600} c="dimmed" mb={4}>
                {t.fields}
              </Text>
              <NameValueList of={analysis.fields} />
            </div>
          )}
          <Text size="xs" c="dimmed">
            {t.by(analysis.by)}
          </Text>
        </Stack>
      ) : (
        <Text size="sm" c="dimmed" role="status">
          {analysisStatus === null ? t.goesOn : t.status[analysisStatus]}
        </Text>
      )}
      {isOver && !isAtWork && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconRefresh size={14} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          loading={isPending}
          onClick={() => void again()}
        >
          {t.again}
        </Button>
      )}
    </Section>
  )
}

/** A list of names and values. */
export function NameValueList({ of }: { of: Record<string, unknown> }) {
  return (
    <Stack gap={6} component="dl" m={0}>
      {Object.entries(of).map(([name, value]) => (
        <Group key={name} gap="xs" justify="space-between" align="flex-start" wrap="nowrap">
          <Text component="dt" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} ta="right" style={{ overflowWrap: 'anywhere' }}>
            {typeof value === 'object' && value !== null ? <Code>{JSON.stringify(value)}</Code> : String(value ?? '–')}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
