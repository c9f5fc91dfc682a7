// Tool parameters, as rows or as JSON Schema.
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  JsonInput,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Section } from '../../components/section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type Field, type FieldType, fieldsOf, fieldTypes, newField, withType } from './parameter-fields.ts'
import { parameterProblems, parametersOf, pretty, type ToolDraft } from './tool-form.ts'
import { toolFormTexts } from './tool-form-texts.ts'
import type { ToolFormProps } from './tool-request.tsx'
import { partsOf } from './tool-types.ts'

export function ToolParameters({ type, draft, set, problems }: ToolFormProps) {
  const t = useTexts(toolFormTexts)
  const { parameters } = draft
  if (!partsOf[type].hasParameters) return null
  const change = (part: Partial<ToolDraft['parameters']>) => set({ parameters: { ...parameters, ...part } })
  const isOwn = type === 'calendar' || type === 'spreadsheet'
  const rows = fieldsOf(parametersOf(parameters))
  const wrong = problems.includes('parameters') ? parameterProblems(draft) : []

  function choose(isJson: boolean) {
    if (isJson) return change({ isJson, text: pretty(parametersOf(parameters)) })
    if (rows) change({ isJson, ...rows })
  }

  return (
    <Section
      title={t.parameters}
      about={isOwn ? t.parametersOwn : t.parametersAbout}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t.view}
          value={parameters.isJson ? 'json' : 'visual'}
          onChange={(view) => choose(view === 'json')}
          data={[
            { value: 'visual', label: t.visual, disabled: parameters.isJson && rows === null },
            { value: 'json', label: t.json },
          ]}
        />
      }
    >
      {parameters.isJson ? (
        <JsonInput
          aria-label={t.json}
          description={rows === null && parameters.text.trim() !== '' ? t.jsonOnly : undefined}
          autosize
          minRows={8}
          maxRows={28}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={parameters.text}
          onChange={(text) => change({ text })}
          error={problems.includes('parameters') ? t.jsonWrong : undefined}
        />
      ) : (
        <Stack gap="sm">
          {parameters.fields.length === 0 && !isOwn && (
            <Text size="sm" c="dimmed">
              {t.parametersEmpty}
            </Text>
          )}
          {parameters.fields.map((field, i) => (
            <FieldRow
              key={field.key}
              number={i + 1}
              field={field}
              problem={wrong.find(({ key }) => key === field.key)?.problem}
              onChange={(changed) =>
                change({ fields: parameters.fields.map((one) => (one.key === field.key ? changed : one)) })
              }
              onRemove={() => change({ fields: parameters.fields.filter(({ key }) => key !== field.key) })}
            />
          ))}
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => change({ fields: [...parameters.fields, newField()] })}
            >
              {t.addField}
            </Button>
          </div>
        </Stack>
      )}
    </Section>
  )
}

function FieldRow({
  number,
  field,
  problem,
  onChange,
  onRemove,
}: {
  number: number
  field: Field
  problem: 'name' | 'twice' | 'options' | undefined
  onChange: (field: Field) => void
  onRemove: () => void
}) {
  const t = useTexts(toolFormTexts)
  const c = useTexts(commonTexts)
  const offered: readonly FieldType[] = field.type === 'other' ? [...fieldTypes, 'other'] : fieldTypes
  const set = (part: Partial<Field>) => onChange({ ...field, ...part })
  const label = (word: string) => `${word} ${number}`
  return (
    <Paper withBorder p="sm" bg="var(--mantine-color-body)">
      <Group align="flex-start" gap="sm">
        <TextInput
          label={t.fieldName}
          aria-label={label(t.fieldName)}
          flex="2 1 150px"
          autoCapitalize="none"
          spellCheck={false}
          value={field.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={problem && problem !== 'options' ? t.fieldProblem[problem] : undefined}
        />
        <Select
          label={t.fieldType}
          aria-label={label(t.fieldType)}
          flex="2 1 150px"
          allowDeselect={false}
          value={field.type}
          onChange={(type) => type && onChange(withType(field, type as FieldType))}
          data={offered.map((value) => ({ value, label: t.fieldTypes[value] }))}
        />
        <Group gap="xs" wrap="nowrap" mt={{ base: 0, xs: 26 }} justify="space-between" flex="1 1 140px">
          <Checkbox
            label={t.fieldNeeded}
            checked={field.isRequired}
            onChange={(event) => set({ isRequired: event.currentTarget.checked })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={`${c.remove}: ${field.name || number}`}
            onClick={onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <TextInput
        mt="xs"
        label={t.fieldAbout}
        aria-label={label(t.fieldAbout)}
        placeholder={t.fieldAboutHint}
        value={field.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      {field.type === 'choice' && (
        <TagsInput
          mt="xs"
          label={t.fieldOptions}
          aria-label={label(t.fieldOptions)}
          placeholder={t.fieldOptionsHint}
          value={field.options}
          onChange={(options) => set({ options })}
          error={problem === 'options' ? t.fieldProblem.options : undefined}
        />
      )}
      {Object.keys(field.rest).length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {t.fieldMore}
        </Text>
      )}
    </Paper>
  )
}
