// Tool calls with arguments, result, duration and error.
import { Accordion, Badge, Code, Group, Stack, Text } from '@mantine/core'
import type { ToolCall } from '../../../client/paths.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { RelativeTime } from './date-time.tsx'
import { toolColor } from './transcript.tsx'
import { transcriptTexts } from './transcript-texts.ts'
import { useFormatMs } from './waterfall.tsx'

/** Pretty-prints JSON; returns any other text unchanged. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  const t = useTexts(transcriptTexts)
  const ms = useFormatMs()
  if (calls.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.noTools}
      </Text>
    )
  return (
    <Accordion
      variant="separated"
      multiple
      defaultValue={calls.length === 1 ? calls.map(({ id }) => id) : []}
      order={3}
    >
      {calls.map((call) => (
        <Accordion.Item key={call.id} value={call.id}>
          <Accordion.Control>
            <Group gap="sm">
              <Text fw={600} ff="monospace" size="sm">
                {call.name}
              </Text>
              <Badge variant="light" color={toolColor[call.status]}>
                {t.toolStatus[call.status]}
              </Badge>
              <Text size="sm" c="dimmed" className="numbers" component="span">
                {ms(call.durationMs)} · <RelativeTime at={call.startedAt} />
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <ToolText name={t.arguments} text={JSON.stringify(call.arguments, null, 2)} />
              {call.result !== null && <ToolText name={t.result} text={prettyJson(call.result)} />}
              {call.error !== null && <ToolText name={t.error} text={call.error} />}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

const ToolText = ({ name, text }: { name: string; text: string }) => (
  <div>
    <Text size="xs" fw={600} c="dimmed" mb={4}>
      {name}
    </Text>
    <Code
      block
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 360, overflow: 'auto' }}
      tabIndex={0}
    >
      {text}
    </Code>
  </div>
)
