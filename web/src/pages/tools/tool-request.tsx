// A tool's request: URL, headers, body.
import { Alert, Button, Group, JsonInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { NameValueInput } from '../../components/name-value-input.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { configFields } from './config-fields.ts'
import { ConfigInput } from './config-input.tsx'
import { newField } from './parameter-fields.ts'
import { MASK, missingParameters, type ToolDraft, type ToolProblem } from './tool-form.ts'
import { toolFormTexts } from './tool-form-texts.ts'
import { partsOf, type ToolType } from './tool-types.ts'

export type ToolFormProps = {
  type: ToolType
  draft: ToolDraft
  set: (part: Partial<ToolDraft>) => void
  problems: readonly ToolProblem[]
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

export function ToolRequest({ type, draft, set, problems }: ToolFormProps) {
  const t = useTexts(toolFormTexts)
  const parts = partsOf[type]
  const addParameter = (name: string) => {
    const fields = [...draft.parameters.fields, newField({ name, isRequired: true })]
    set({ parameters: { ...draft.parameters, fields } })
  }
  if (parts.url === 'none') return null
  const label = { calendar: t.urlCalendar, chat_workspace: t.urlChat, mcp: t.urlMcp }[type as string] ?? t.url
  const first = configFields[type].filter(({ isBeforeAddress }) => isBeforeAddress)
  // Google Calendar has a fixed URL.
  const hasAddress = !(type === 'calendar' && draft.config.provider === 'google')
  return (
    <Section
      title={type === 'calendar' ? t.calendarPlace : t.request}
      about={parts.hasHeaders && type !== 'mcp' ? t.requestAbout : undefined}
    >
      <Stack>
        {first.map((field) => (
          <ConfigInput key={field.name} field={field} config={draft.config} onChange={(config) => set({ config })} />
        ))}
        {hasAddress && (
          <div
            style={{ display: 'flex', gap: 'var(--mantine-spacing-sm)', alignItems: 'flex-start', flexWrap: 'wrap' }}
          >
            {parts.hasMethod && (
              <Select
                label={t.method}
                data={methods}
                w={120}
                allowDeselect={false}
                value={draft.method.toUpperCase() || 'GET'}
                onChange={(method) => set({ method: method ?? 'GET' })}
              />
            )}
            <TextInput
              label={label}
              placeholder="https://"
              type="url"
              required={parts.url === 'needed'}
              flex="1 1 260px"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={2048}
              value={draft.requestUrl}
              onChange={(event) => set({ requestUrl: event.currentTarget.value })}
              error={problems.includes('url') ? t.urlWrong : undefined}
            />
          </div>
        )}
        {missingParameters(type, draft).map((name) => (
          <Alert key={name} color="yellow" variant="light" py="xs">
            <Group justify="space-between" gap="xs">
              <Text size="sm">{t.parameterMissing(name)}</Text>
              <Button size="xs" variant="default" onClick={() => addParameter(name)}>
                {t.createParameter(name)}
              </Button>
            </Group>
          </Alert>
        ))}
        {parts.hasHeaders && (
          <NameValueInput
            label={t.headers}
            pairs={draft.headers}
            onChange={(headers) => set({ headers })}
            mask={MASK}
          />
        )}
        {parts.hasBody && !['GET', 'HEAD', ''].includes(draft.method.toUpperCase()) && (
          <JsonInput
            label={t.body}
            description={t.bodyHint}
            placeholder={'{ "day": "{day}" }'}
            autosize
            minRows={3}
            maxRows={20}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={draft.body}
            onChange={(body) => set({ body })}
            error={problems.includes('body') ? t.bodyWrong : undefined}
          />
        )}
      </Stack>
    </Section>
  )
}
