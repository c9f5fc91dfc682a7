// The differences between two versions of a record, field by field: keep mine or take theirs.
import { Button, Group, Mark, Modal, Radio, ScrollArea, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { conflictTexts } from './conflict-texts.ts'
import { differingPart } from './text-difference.ts'
import { type Choice, type Difference, keyOf } from './three-way.ts'

export type FieldWords = {
  /** Labels of the editable fields. A nested field is named like `settings.interruptible`. */
  fields: Readonly<Record<string, string>>
  /** Fields whose values are not shown. */
  hidden?: readonly string[]
  /** Formats a value for display, such as an agent's name. */
  format?: (field: string, value: unknown) => string | undefined
}

export type Choices = Readonly<Record<string, Choice>>

export type ConflictDialogProps = {
  found: readonly Difference[]
  words: FieldWords
  onSave: (choices: Choices) => void
  onCancel: () => void
}

export function ConflictDialog({ found, words, onSave, onCancel }: ConflictDialogProps) {
  const t = useTexts(conflictTexts)
  const [choices, setChoices] = useState<Choices>({})
  const both = found.filter(({ changedBy }) => changedBy === 'both')
  const all = (choice: Choice) => setChoices(Object.fromEntries(both.map((each) => [keyOf(each), choice])))
  const namesOf = (changedBy: Difference['changedBy']) =>
    found.filter((each) => each.changedBy === changedBy).map(({ path }) => labelOf(path, words))
  return (
    <Modal opened onClose={onCancel} title={t.title} size="xl" withCloseButton={false} zIndex={300}>
      <Stack>
        <Text size="sm">{t.text}</Text>
        {both.length > 1 && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => all('mine')}>
              {t.allMine}
            </Button>
            <Button size="xs" variant="default" onClick={() => all('theirs')}>
              {t.allTheirs}
            </Button>
          </Group>
        )}
        {both.map((difference) => (
          <Field
            key={keyOf(difference)}
            difference={difference}
            words={words}
            choice={choices[keyOf(difference)] ?? 'mine'}
            onChoose={(choice) => setChoices((before) => ({ ...before, [keyOf(difference)]: choice }))}
          />
        ))}
        <Names title={t.onlyMine} names={namesOf('me')} />
        <Names title={t.onlyTheirs} names={namesOf('them')} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t.goOn}
          </Button>
          <Button onClick={() => onSave(choices)} data-autofocus>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <Text size="sm">
      {title} <b>{names.join(', ')}</b>
    </Text>
  )
}

function Field({
  difference,
  words,
  choice,
  onChoose,
}: {
  difference: Difference
  words: FieldWords
  choice: Choice
  onChoose: (choice: Choice) => void
}) {
  const t = useTexts(conflictTexts)
  return (
    <Radio.Group
      label={labelOf(difference.path, words)}
      labelProps={{ fw: 600 }}
      value={choice}
      onChange={(chosen) => onChoose(chosen as Choice)}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt={6}>
        {(['mine', 'theirs'] as const).map((side) => (
          <Radio.Card key={side} value={side} p="sm">
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <Radio.Indicator />
              <Stack gap={4} flex={1} miw={0}>
                <Text size="sm" fw={600}>
                  {t[side]}
                </Text>
                <ScrollArea.Autosize mah={180} type="auto">
                  <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                    <ShownValue
                      path={difference.path}
                      value={difference[side]}
                      other={difference[side === 'mine' ? 'theirs' : 'mine']}
                      words={words}
                    />
                  </Text>
                </ScrollArea.Autosize>
              </Stack>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}

type Shown = { path: readonly string[]; value: unknown; other: unknown; words: FieldWords }

function ShownValue({ path, value, other, words }: Shown) {
  const t = { ...useTexts(commonTexts), ...useTexts(conflictTexts) }
  const [field = ''] = path
  if (words.hidden?.includes(field)) return t.hidden
  const worded = words.format?.(path.join('.'), value)
  if (worded !== undefined) return worded
  if (value === null || value === undefined || value === '') return t.empty
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'string' && typeof other === 'string') {
    const [before, differing, after] = differingPart(value, other)
    return (
      <>
        {before}
        {differing && <Mark color="yellow">{differing}</Mark>}
        {after}
      </>
    )
  }
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ') || t.empty
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** The label of the longest known prefix, then the rest of the path. */
function labelOf(path: readonly string[], { fields }: FieldWords): string {
  for (let end = path.length; end > 0; end--) {
    const label = fields[path.slice(0, end).join('.')]
    if (label !== undefined) return [label, ...path.slice(end)].join(' › ')
  }
  return path.join(' › ')
}
