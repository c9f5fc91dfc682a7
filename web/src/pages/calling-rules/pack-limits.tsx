// Edits a rule pack's call frequency limits and no-call days.
import {
  ActionIcon,
  Button,
  Chip,
  Fieldset,
  Group,
  NumberInput,
  Pill,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { FieldGroup } from '../../components/field-group.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { dayText, type FrequencyRule, freeId, ownSource, type PackPart } from './pack.ts'
import { rulesTexts } from './rules-texts.ts'

const MAX_HOURS = 744
const HOURS_OF_DAY = 24
const whole = { min: 1, allowDecimal: false, clampBehavior: 'strict' } as const

export function Frequency({ pack, set }: PackPart) {
  const t = useTexts(rulesTexts)
  const own = ownSource(t.ownSource)
  const change = (at: number, part: Partial<FrequencyRule>) =>
    set({ frequency: pack.frequency.map((one, i) => (i === at ? { ...one, ...part, ...own } : one)) })
  const setSpacing = (minutes: number) =>
    set({ spacing: minutes <= 0 ? null : { id: pack.spacing?.id ?? freeId(pack, 'spacing'), minutes, ...own } })
  const add = () =>
    set({ frequency: [...pack.frequency, { id: freeId(pack, 'own-limit'), max: 3, hours: 168, ...own }] })
  return (
    <Fieldset legend={t.frequency}>
      <Stack gap="sm">
        {pack.frequency.map((rule, i) => (
          <Limit
            key={rule.id}
            rule={rule}
            onChange={(part) => change(i, part)}
            onRemove={() => set({ frequency: pack.frequency.filter((_, at) => at !== i) })}
          />
        ))}
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          {t.addFrequency}
        </Button>
        <NumberInput
          label={t.spacingMinutes}
          maw={320}
          min={0}
          max={44_640}
          allowDecimal={false}
          clampBehavior="strict"
          value={pack.spacing?.minutes ?? 0}
          onChange={(value) => setSpacing(Number(value))}
        />
      </Stack>
    </Fieldset>
  )
}

function Limit({
  rule,
  onChange,
  onRemove,
}: {
  rule: FrequencyRule
  onChange: (part: Partial<FrequencyRule>) => void
  onRemove: () => void
}) {
  const t = useTexts(rulesTexts)
  const [unit, setUnit] = useState<'hours' | 'days'>(rule.hours % HOURS_OF_DAY === 0 ? 'days' : 'hours')
  const factor = unit === 'days' ? HOURS_OF_DAY : 1
  const choose = (value: string | null) => {
    const next = value === 'days' ? 'days' : 'hours'
    setUnit(next)
    // A limit in days counts whole days.
    if (next === 'days') onChange({ hours: Math.ceil(rule.hours / HOURS_OF_DAY) * HOURS_OF_DAY })
  }
  return (
    <Group align="flex-end" gap="sm">
      <NumberInput
        {...whole}
        w={110}
        label={t.maxAttempts}
        max={1000}
        value={rule.max}
        onChange={(value) => onChange({ max: Math.max(1, Number(value)) })}
      />
      <NumberInput
        {...whole}
        w={110}
        label={t.within}
        max={Math.floor(MAX_HOURS / factor)}
        value={rule.hours / factor}
        onChange={(value) => onChange({ hours: Math.max(1, Number(value)) * factor })}
      />
      <Select
        aria-label={t.unit}
        w={110}
        allowDeselect={false}
        data={(['hours', 'days'] as const).map((value) => ({ value, label: t.units[value] }))}
        value={unit}
        onChange={choose}
      />
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={t.removeRule(rule.id)} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

const kinds = ['national', 'state', 'optional'] as const

export function Holidays({ pack, set }: PackPart) {
  const t = useTexts(rulesTexts)
  const { holidays } = pack
  const own = ownSource(t.ownSource)
  const toggle = (isOn: boolean) =>
    set({
      holidays: isOn ? { id: freeId(pack, 'holidays'), kinds: ['national', 'state'], dates: [], ...own } : null,
    })
  return (
    <Fieldset legend={t.holidays}>
      <Stack gap="sm">
        <Switch
          label={t.skipHolidays}
          checked={holidays !== null}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
        {holidays && (
          <>
            <FieldGroup label={t.holidayKindsLabel}>
              <Chip.Group
                multiple
                value={holidays.kinds}
                onChange={(value) => {
                  const chosen = kinds.filter((kind) => value.includes(kind))
                  if (chosen.length > 0) set({ holidays: { ...holidays, kinds: chosen, ...own } })
                }}
              >
                <Group gap={6}>
                  {kinds.map((kind) => (
                    <Chip key={kind} value={kind} size="sm">
                      {t.holidayKinds[kind]}
                    </Chip>
                  ))}
                </Group>
              </Chip.Group>
            </FieldGroup>
            <Dates dates={holidays.dates} onChange={(dates) => set({ holidays: { ...holidays, dates, ...own } })} />
          </>
        )}
      </Stack>
    </Fieldset>
  )
}

function Dates({ dates, onChange }: { dates: readonly string[]; onChange: (dates: string[]) => void }) {
  const t = useTexts(rulesTexts)
  const { locale } = useLanguage()
  const [day, setDay] = useState('')
  const add = () => {
    onChange([...new Set([...dates, day])].sort())
    setDay('')
  }
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <TextInput
          type="date"
          label={t.dateInput}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Button variant="default" disabled={day === ''} onClick={add}>
          {t.addDate}
        </Button>
      </Group>
      <Group gap={6}>
        {dates.map((date) => (
          <Pill
            key={date}
            size="md"
            withRemoveButton
            removeButtonProps={{ 'aria-label': t.removeDate(dayText(date, locale)), tabIndex: 0, 'aria-hidden': false }}
            onRemove={() => onChange(dates.filter((one) => one !== date))}
          >
            {dayText(date, locale)}
          </Pill>
        ))}
      </Group>
    </Stack>
  )
}
