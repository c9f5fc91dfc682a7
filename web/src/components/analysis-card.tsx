// The post-call analysis: summary, success and extracted fields.
import { Badge, Button, Code, Grid, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react'
import type { Conversation } from '../../../client/paths.ts'
import { api, unwrap } from '../api.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { useMay } from '../organization.ts'
import { analysisTexts } from './analysis-texts.ts'
import { Section } from './section.tsx'
import { useAction } from './use-action.tsx'

export function AnalysisCard({ conversation }: { conversation: Conversation }) {
  const t = useTexts(analysisTexts)
  const { isPending, run } = useAction()
  const mayAnalyze = useMay('conversations:write')
  const { analysis, analysisStatus, status, id } = conversation
  const isOver = status !== 'active'
  const isAtWork = analysisStatus === 'pending' || analysisStatus === 'processing'
  const again = () =>
    run(() => unwrap(api.POST('/api/conversations/{id}/analyse', { params: { path: { id } } })), {
      success: t.asked,
      stale: ['/api/conversations'],
    })
  const fields = Object.entries(analysis?.fields ?? {})
  return (
    <Section
      title={t.title}
      isForAll
      actions={
        mayAnalyze &&
        isOver &&
        !isAtWork && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={isPending}
            onClick={() => void again()}
          >
            {analysis ? t.again : t.first}
          </Button>
        )
      }
    >
      {analysis ? (
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, sm: fields.length > 0 ? 8 : 12 }}>
            <Stack gap="sm">
              {analysis.summary && (
                <Text style={{ whiteSpace: 'pre-wrap' }} maw={720}>
                  {analysis.summary}
                </Text>
              )}
              {analysis.success !== null && <Goal success={analysis.success} reason={analysis.successReason} />}
              <Text size="xs" c="dimmed">
                {t.by(analysis.by)}
              </Text>
            </Stack>
          </Grid.Col>
          {fields.length > 0 && (
            <Grid.Col span={{ base: 12, sm: 4 }}>
              <Text size="xs" fw={600} c="dimmed" mb={6}>
                {t.fields}
              </Text>
              <NameValueList of={analysis.fields ?? {}} />
            </Grid.Col>
          )}
        </Grid>
      ) : (
        <Text size="sm" c="dimmed" role="status">
          {analysisStatus === null ? (isOver ? t.none : t.goesOn) : t.status[analysisStatus]}
        </Text>
      )}
    </Section>
  )
}

function Goal({ success, reason }: { success: boolean; reason: string | null }) {
  const t = useTexts(analysisTexts)
  return (
    <Group gap="sm">
      <Badge
        size="lg"
        variant="light"
        color={success ? 'teal' : 'red'}
        leftSection={success ? <IconCircleCheck size={16} aria-hidden /> : <IconCircleX size={16} aria-hidden />}
      >
        {success ? t.success : t.failure}
      </Badge>
      {reason && <Text size="sm">{reason}</Text>}
    </Group>
  )
}

/** Names and values, as a definition list. */
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
