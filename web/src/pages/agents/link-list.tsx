// A list of linked items, and a select to link another one.
import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../../i18n/language-provider.tsx'
import { connectionsTexts } from './connections-texts.ts'

export type LinkedItem = { id: string; name: string; at?: string; about?: ReactNode; badge?: ReactNode }

export function LinkList({
  label,
  rows,
  none,
  isPending,
  onUnlink,
}: {
  label: string
  rows: readonly LinkedItem[]
  none: string
  isPending: boolean
  onUnlink: (id: string) => void
}) {
  const t = useTexts(connectionsTexts)
  if (rows.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {none}
      </Text>
    )
  return (
    <Stack gap={0} component="ul" p={0} m={0} aria-label={label}>
      {rows.map(({ id, name, at, about, badge }, i) => (
        <Group
          key={id}
          component="li"
          justify="space-between"
          wrap="nowrap"
          py="xs"
          style={{ listStyle: 'none', borderTop: i > 0 ? '1px solid var(--mantine-color-default-border)' : undefined }}
        >
          <div style={{ minWidth: 0 }}>
            <Group gap="xs">
              {at ? (
                <Anchor component={Link} href={at} fw={600} c="var(--mantine-color-text)">
                  {name}
                </Anchor>
              ) : (
                <Text fw={600}>{name}</Text>
              )}
              {badge}
            </Group>
            {about && (
              <Text size="sm" c="dimmed" lineClamp={2} component="div">
                {about}
              </Text>
            )}
          </div>
          <Button
            variant="subtle"
            color="red"
            size="xs"
            style={{ flexShrink: 0 }}
            disabled={isPending}
            aria-label={`${t.unlink}: ${name}`}
            onClick={() => onUnlink(id)}
          >
            {t.unlink}
          </Button>
        </Group>
      ))}
    </Stack>
  )
}

/** A select with an add button. */
export function AddLink({
  label,
  placeholder,
  choices,
  isPending,
  onAdd,
}: {
  label: string
  placeholder: string
  choices: readonly { value: string; label: string }[]
  isPending: boolean
  onAdd: (id: string) => Promise<unknown>
}) {
  const t = useTexts(connectionsTexts)
  const [chosen, setChosen] = useState<string | null>(null)
  const add = async () => {
    if (!chosen) return
    await onAdd(chosen)
    setChosen(null)
  }
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap" maw={480}>
      <Select
        flex={1}
        label={label}
        placeholder={placeholder}
        searchable={choices.length > 6}
        data={[...choices]}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        variant="light"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={!chosen}
        loading={isPending}
        onClick={() => void add()}
      >
        {t.add}
      </Button>
    </Group>
  )
}
