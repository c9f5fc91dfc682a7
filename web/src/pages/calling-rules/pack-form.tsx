// Edits a rule pack of one's own: windows, frequency, spacing and holidays. What the user sets is marked as theirs.
import {
  ActionIcon,
  Button,
  Chip,
  Fieldset,
  Group,
  NumberInput,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { CallingRules } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { FieldGroup } from '../../components/field-group.tsx'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { isOrdered } from '../campaigns/window-words.ts'
import { WindowsInput } from '../campaigns/windows-input.tsx'
import { freeId, packOf, type RulePack, readDates } from './pack.ts'
import { rulesTexts } from './rules-texts.ts'

const today = () => new Date().toISOString().slice(0, 10)
type SetPack = (part: Partial<RulePack>) => void

export function PackForm({ rules }: { rules: CallingRules }) {
  const t = useTexts(rulesTexts)
  const c = useTexts(commonTexts)
  const [name, setName] = useState(rules.name)
  const [pack, setWhole] = useState<RulePack>(() => packOf(rules))
  const [dates, setDates] = useState(() => packOf(rules).holidays?.dates.join('\n') ?? '')
  const { isPending, run } = useAction()
  const guarded = useGuardedSave({ fields: { name: t.rename, pack: t.title } })
  const set: SetPack = (part) => setWhole((before) => ({ ...before, ...part }))
  const read = readDates(dates)
  const edited: RulePack = pack.holidays && read ? { ...pack, holidays: { ...pack.holidays, dates: read } } : pack
  const isPackDirty = JSON.stringify(edited) !== JSON.stringify(rules.pack)
  const isDirty = isPackDirty || name.trim() !== rules.name || read === null
  const isValid =
    name.trim() !== '' &&
    read !== null &&
    pack.windows.every(({ windows }) => windows.every((one) => isOrdered(one) && one.days.length > 0))

  async function save(): Promise<boolean> {
    if (!isValid) return false
    const params = { path: { id: rules.id } }
    const patch = {
      ...(name.trim() === rules.name ? {} : { name: name.trim() }),
      ...(isPackDirty ? { pack: edited } : {}),
    }
    return run(
      () =>
        guarded.save<CallingRules>({
          base: rules,
          patch,
          load: () => unwrap(api.GET('/api/calling-rules/{id}', { params })),
          send: (body, headers) => unwrap(api.PATCH('/api/calling-rules/{id}', { params, headers, body })),
        }),
      { success: c.saved, stale: ['/api/calling-rules'] },
    )
  }
  const discard = () => {
    setName(rules.name)
    setWhole(packOf(rules))
    setDates(packOf(rules).holidays?.dates.join('\n') ?? '')
  }
  return (
    <>
      <Section title={t.edit}>
        <Stack gap="lg">
          <TextInput
            label={t.rename}
            required
            maxLength={100}
            maw={420}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={name.trim() === '' ? t.nameNeeded : undefined}
          />
          <WindowRules {...{ pack, set }} />
          <Frequency {...{ pack, set }} />
          <Holidays {...{ pack, set, dates, setDates }} isWrong={read === null} />
        </Stack>
      </Section>
      <SaveBar isDirty={isDirty} isSaving={isPending} onSave={() => void save()} onDiscard={discard} />
      <LeaveGuard isDirty={isDirty} onSave={save} onDiscard={discard} />
      {guarded.dialog}
    </>
  )
}

function WindowRules({ pack, set }: { pack: RulePack; set: SetPack }) {
  const t = useTexts(rulesTexts)
  return pack.windows.map((rule, i) => (
    <Fieldset key={rule.id} legend={t.ruleWindows(rule.regions?.join(', ') ?? t.everywhere)}>
      <WindowsInput
        windows={rule.windows}
        onChange={(windows) =>
          set({
            windows: pack.windows.map((one, at) =>
              at === i ? { ...one, windows, source: t.ownSource, date: today() } : one,
            ),
          })
        }
      />
    </Fieldset>
  ))
}

function Frequency({ pack, set }: { pack: RulePack; set: SetPack }) {
  const t = useTexts(rulesTexts)
  const change = (at: number, part: { max?: number; hours?: number }) =>
    set({
      frequency: pack.frequency.map((one, i) =>
        i === at ? { ...one, ...part, source: t.ownSource, date: today() } : one,
      ),
    })
  const setSpacing = (minutes: number) =>
    set({
      spacing: minutes <= 0 ? null : { id: pack.spacing?.id ?? 'spacing', minutes, source: t.ownSource, date: today() },
    })
  const added = () => ({
    ...{ id: freeId(pack.frequency, 'own-limit'), max: 3, hours: 168 },
    ...{ source: t.ownSource, date: today() },
  })
  return (
    <Fieldset legend={t.frequency}>
      <Stack gap="sm">
        {pack.frequency.map((rule, i) => (
          <Group key={rule.id} align="flex-end" gap="sm" wrap="nowrap">
            <NumberInput
              label={t.maxAttempts}
              min={1}
              max={1000}
              allowDecimal={false}
              clampBehavior="strict"
              value={rule.max}
              onChange={(value) => change(i, { max: Math.max(1, Number(value)) })}
            />
            <NumberInput
              label={t.withinHours}
              min={1}
              max={744}
              allowDecimal={false}
              clampBehavior="strict"
              value={rule.hours}
              onChange={(value) => change(i, { hours: Math.max(1, Number(value)) })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t.removeRule(rule.id)}
              onClick={() => set({ frequency: pack.frequency.filter((_, at) => at !== i) })}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set({ frequency: [...pack.frequency, added()] })}
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

const kinds = ['national', 'state', 'optional'] as const

function Holidays({
  pack,
  set,
  dates,
  setDates,
  isWrong,
}: {
  pack: RulePack
  set: SetPack
  dates: string
  setDates: (dates: string) => void
  isWrong: boolean
}) {
  const t = useTexts(rulesTexts)
  const { holidays } = pack
  const own = { source: t.ownSource, date: today() }
  const toggle = (isOn: boolean) =>
    set({ holidays: isOn ? { id: 'holidays', kinds: ['national', 'state'], dates: [], ...own } : null })
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
            <Textarea
              label={t.datesInput}
              autosize
              minRows={2}
              maw={420}
              value={dates}
              onChange={(event) => setDates(event.currentTarget.value)}
              error={isWrong ? t.datesWrong : undefined}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  )
}
