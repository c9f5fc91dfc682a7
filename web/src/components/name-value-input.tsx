// An input of name and value rows, for headers and variables.
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { texts } from '../i18n/texts.ts'
import { FieldGroup } from './field-group.tsx'
import { newPair, type Pair } from './name-value-pairs.ts'

const pairTexts = texts(
  { name: 'Nome', value: 'Valor', add: 'Adicionar', kept: 'Valor salvo. Preencha só para trocar.' },
  { name: 'Name', value: 'Value', add: 'Add', kept: 'Value saved. Fill in only to replace it.' },
  { name: 'Nombre', value: 'Valor', add: 'Añadir', kept: 'Valor guardado. Rellene solo para cambiarlo.' },
)

export function NameValueInput({
  label,
  description,
  pairs,
  onChange,
  mask,
  names = [],
}: {
  label: string
  description?: string
  pairs: readonly Pair[]
  onChange: (pairs: Pair[]) => void
  /** The mask of a stored secret: shown as an empty field, and kept unless the user types something. */
  mask?: string
  names?: [name: string, value: string] | []
}) {
  const t = useTexts(pairTexts)
  const c = useTexts(commonTexts)
  const [nameWord = t.name, valueWord = t.value] = names
  const change = (key: number, part: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...part } : pair)))
  return (
    <FieldGroup label={label}>
      <Stack gap="xs">
        {description && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        {pairs.map(({ key, name, value }, i) => (
          <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`${label}: ${nameWord} ${i + 1}`}
              placeholder={nameWord}
              flex={1}
              value={name}
              onChange={(event) => change(key, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={`${label}: ${valueWord} ${i + 1}`}
              placeholder={value === mask ? t.kept : valueWord}
              flex={2}
              value={value === mask ? '' : value}
              onChange={(event) => change(key, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`${c.remove}: ${name || i + 1}`}
              onClick={() => onChange(pairs.filter((pair) => pair.key !== key))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...pairs, newPair()])}
          >
            {t.add}
          </Button>
        </div>
      </Stack>
    </FieldGroup>
  )
}
