// The input of one tool setting, by its kind.
import {
  Anchor,
  Chip,
  Group,
  Input,
  JsonInput,
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { queries } from '../../api.ts'
import { NameValueInput } from '../../components/name-value-input.tsx'
import { pairsOf, recordOf } from '../../components/name-value-pairs.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type ConfigField, valueAt, withValue, workingDays } from './config-fields.ts'
import { configTexts } from './config-texts.ts'
import { pretty } from './tool-form.ts'
import { readJson } from './tool-test-inputs.ts'
import { TransferDestinations } from './transfer-destinations.tsx'

type Json = Record<string, unknown>
type Props = { field: ConfigField; config: Json; onChange: (config: Json) => void }
type Shared = { label: string; description?: string; value: unknown; change: (value: unknown) => void }

export function ConfigInput({ field, config, onChange }: Props) {
  const t = useTexts(configTexts)
  const { name, kind, standard, choices = [], isOn = false } = field
  const { label, hint } = t.fields[name]
  const description = hint || undefined
  const value = valueAt(config, name)
  const change = (changed: unknown) => onChange(withValue(config, name, changed))
  const shared = { label, description, value, change }
  const text = typeof value === 'string' ? value : ''
  const texts = Array.isArray(value) ? value.map(String) : []
  switch (kind) {
    case 'flag':
      return (
        <Switch
          label={label}
          description={description}
          checked={typeof value === 'boolean' ? value : isOn}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      )
    case 'number':
      return (
        <NumberInput
          label={label}
          description={description}
          placeholder={standard}
          hideControls
          value={typeof value === 'number' ? value : ''}
          onChange={(changed) => change(typeof changed === 'number' ? changed : undefined)}
        />
      )
    case 'choice':
      return (
        <Select
          label={label}
          description={description}
          placeholder={name === 'operation' ? t.allOf : t.anyOne}
          clearable
          value={text || null}
          onChange={(changed) => change(changed ?? undefined)}
          data={choices.map((choice) => ({
            value: choice,
            label: (t.choices as Readonly<Record<string, string>>)[choice] ?? choice,
          }))}
        />
      )
    case 'list':
      return <TagsInput label={label} description={description} value={texts} onChange={change} />
    case 'long':
      return (
        <Textarea
          label={label}
          description={description}
          autosize
          minRows={2}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )
    case 'pairs':
      return <PairsField {...shared} />
    case 'json':
      return <JsonField {...shared} />
    case 'days':
      return <DaysField {...shared} />
    case 'knowledge':
      return <KnowledgeField {...shared} />
    case 'spreadsheet':
      return <SpreadsheetField {...shared} />
    case 'device':
      return <DeviceField {...shared} />
    case 'destinations':
      return <TransferDestinations destinations={Array.isArray(value) ? value : []} onChange={change} />
    default:
      return (
        <TextInput
          label={label}
          description={description}
          placeholder={standard}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )
  }
}

/** Rows may be incomplete while typing; the record only holds named values. */
function PairsField({ label, description, value, change }: Shared) {
  const t = useTexts(configTexts)
  const [pairs, setPairs] = useState(() => pairsOf(value as Json | undefined))
  return (
    <NameValueInput
      label={label}
      description={description}
      names={[t.outVariable, t.outPath]}
      pairs={pairs}
      onChange={(changed) => {
        setPairs(changed)
        change(recordOf(changed))
      }}
    />
  )
}

/** Invalid JSON is reported and not applied. */
function JsonField({ label, description, value, change }: Shared) {
  const t = useTexts(configTexts)
  const [text, setText] = useState(() => pretty(value))
  const isWrong = text.trim() !== '' && readJson(text) === undefined
  return (
    <JsonInput
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={12}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={text}
      onChange={(typed) => {
        setText(typed)
        const read = typed.trim() === '' ? undefined : readJson(typed)
        if (read !== undefined || typed.trim() === '') change(read)
      }}
      error={isWrong ? t.jsonWrong : undefined}
    />
  )
}

function DaysField({ label, description, value, change }: Shared) {
  const t = useTexts(configTexts)
  return (
    <Input.Wrapper label={label} description={description} component="fieldset" style={{ border: 0, padding: 0 }}>
      <Chip.Group
        multiple
        value={workingDays(value).map(String)}
        onChange={(days) => change(days.length === 0 ? undefined : days.map(Number).sort((a, b) => a - b))}
      >
        <Group gap={6} mt={6}>
          {Object.entries(t.days).map(([day, name]) => (
            <Chip key={day} value={day} size="sm">
              {name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}

function KnowledgeField({ label, description, value, change }: Shared) {
  const t = useTexts(configTexts)
  const { data: bases } = queries.useQuery('get', '/api/knowledge-bases')
  return (
    <>
      <MultiSelect
        label={label}
        description={description}
        placeholder={t.pick}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={change}
        data={(bases ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      {bases?.length === 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t.noBases}{' '}
          <Anchor component={Link} href="/knowledge" size="sm">
            {t.makeBase}
          </Anchor>
        </Text>
      )}
    </>
  )
}

function SpreadsheetField({ label, value, change }: Shared) {
  const t = useTexts(configTexts)
  const { data: sheets } = queries.useQuery('get', '/api/spreadsheets')
  return (
    <>
      <Select
        label={label}
        placeholder={t.pick}
        value={typeof value === 'string' && value ? value : null}
        onChange={(chosen) => change(chosen ?? undefined)}
        data={(sheets ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      {sheets?.length === 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t.noSheets}{' '}
          <Anchor component={Link} href="/spreadsheets" size="sm" underline="always">
            {t.makeSheet}
          </Anchor>
        </Text>
      )}
    </>
  )
}

function DeviceField({ label, description, value, change }: Shared) {
  const { data: devices } = queries.useQuery('get', '/api/gateway/devices')
  return (
    <Select
      label={label}
      description={description}
      clearable
      value={typeof value === 'string' && value ? value : null}
      onChange={(chosen) => change(chosen ?? undefined)}
      data={(devices ?? []).map(({ id, name, displayName, deviceId }) => ({
        value: id,
        label: name ?? displayName ?? deviceId,
      }))}
    />
  )
}
