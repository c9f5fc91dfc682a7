// Calling windows by weekday: days, start and end.
import { ActionIcon, Button, Chip, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { FieldGroup } from '../../components/field-group.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { setupTexts } from './setup-texts.ts'
import { isOrdered, type Window } from './window-words.ts'

const days = [1, 2, 3, 4, 5, 6, 7] as const
const MAX_WINDOWS = 21
export const officeHours: Window = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }

/** A time input has no 24:00: midnight at the end of the day is shown as 00:00. */
const shownEnd = (to: string) => (to === '24:00' ? '00:00' : to)
const storedEnd = (to: string) => (to === '00:00' ? '24:00' : to)

export function WindowsInput({
  windows,
  onChange,
  isDisabled = false,
}: {
  windows: readonly Window[]
  onChange: (windows: Window[]) => void
  isDisabled?: boolean
}) {
  const t = useTexts(setupTexts)
  const change = (at: number, part: Partial<Window>) =>
    onChange(windows.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <Stack gap="sm" align="stretch">
      {windows.map((window, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: windows have no identity of their own
        <Paper key={i} withBorder p="sm" role="group" aria-label={t.window(i + 1)}>
          <Group align="flex-end" gap="md">
            <FieldGroup label={t.dayGroup}>
              <Group gap={6}>
                {days.map((day) => (
                  <Chip
                    key={day}
                    size="sm"
                    disabled={isDisabled}
                    checked={window.days.includes(day)}
                    onChange={(isOn) =>
                      change(i, {
                        days: isOn
                          ? [...window.days, day].sort((a, b) => a - b)
                          : window.days.filter((one) => one !== day),
                      })
                    }
                  >
                    {t.days[day]}
                  </Chip>
                ))}
              </Group>
            </FieldGroup>
            <Group gap="sm" wrap="nowrap" align="flex-end">
              <TextInput
                type="time"
                label={t.from}
                w={132}
                disabled={isDisabled}
                value={window.from}
                onChange={(event) => change(i, { from: event.currentTarget.value })}
              />
              <TextInput
                type="time"
                label={t.until}
                w={132}
                disabled={isDisabled}
                value={shownEnd(window.to)}
                onChange={(event) => change(i, { to: storedEnd(event.currentTarget.value) })}
              />
              {windows.length > 1 && !isDisabled && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t.removeWindow(i + 1)}
                  onClick={() => onChange(windows.filter((_, at) => at !== i))}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          </Group>
          {(window.days.length === 0 || !isOrdered(window)) && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={6}>
              {window.days.length === 0 ? t.windowDays : t.windowOrder}
            </Text>
          )}
        </Paper>
      ))}
      {!isDisabled && windows.length < MAX_WINDOWS && (
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...windows, { days: [6], from: '10:00', to: '13:00' }])}
        >
          {t.addWindow}
        </Button>
      )}
    </Stack>
  )
}
