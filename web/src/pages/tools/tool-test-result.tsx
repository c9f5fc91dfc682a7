// The result of a tool test: status, response and request.
import { Accordion, Code, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core'
import type { TestedTool } from '../../../../client/paths.ts'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { requestsServerTexts } from '../../i18n/server-texts/requests.ts'
import { toolsServerTexts } from '../../i18n/server-texts/tools.ts'
import { useServerText } from '../../i18n/use-server-text.ts'
import { pretty } from './tool-form.ts'
import { readJson } from './tool-test-inputs.ts'
import { toolTestTexts } from './tool-test-texts.ts'

const tones: Readonly<Record<TestedTool['status'], Tone>> = {
  done: 'good',
  failed: 'bad',
  in_doubt: 'warn',
  refused: 'bad',
}

const toolTexts = { ...requestsServerTexts, ...toolsServerTexts }

const wrapped = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const

export function ToolTestResult({ tested }: { tested: TestedTool }) {
  const t = useTexts(toolTestTexts)
  const { locale } = useLanguage()
  const said = useServerText(toolTexts)
  const { status, result, error, durationMs, request } = tested
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group gap="xs">
          <StatusBadge tone={tones[status]} word={t.status[status]} />
          <Text size="sm" c="dimmed">
            {t.took(durationMs.toLocaleString(locale))} · {tested.function}
          </Text>
        </Group>
        {error && <Block title={t.error} text={said(error)} />}
        {status === 'done' && <Block title={t.result} text={result || t.nothing} />}
        {request && (
          <Accordion variant="contained">
            <Accordion.Item value="request">
              <Accordion.Control>{t.request}</Accordion.Control>
              <Accordion.Panel>
                <Stack gap="xs">
                  <Code block tabIndex={0} style={wrapped}>{`${request.method} ${request.url}`}</Code>
                  <Code block tabIndex={0} style={wrapped}>
                    {Object.entries(request.headers)
                      .map(([name, value]) => `${name}: ${value}`)
                      .join('\n')}
                  </Code>
                  {request.body && (
                    <Code block tabIndex={0} style={wrapped}>
                      {readable(request.body)}
                    </Code>
                  )}
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        )}
      </Stack>
    </Paper>
  )
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': title }}>
        <Code block style={wrapped}>
          {readable(text)}
        </Code>
      </ScrollArea.Autosize>
    </div>
  )
}

const readable = (text: string): string => {
  const read = readJson(text)
  return typeof read === 'object' && read !== null ? pretty(read) : text
}
