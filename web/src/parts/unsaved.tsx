// What was typed and not saved yet: a bar says so and saves it, and the browser asks before the page is left.
import { Button, Group, Paper, Text } from '@mantine/core'
import { useEffect } from 'react'
import { common } from '../i18n/common.ts'
import { words } from '../i18n/words.ts'
import { useWords } from '../i18n/words.tsx'

const unsavedWords = words(
  { unsaved: 'Há alterações não salvas.', discard: 'Descartar' },
  { unsaved: 'There are unsaved changes.', discard: 'Discard' },
  { unsaved: 'Hay cambios sin guardar.', discard: 'Descartar' },
)

/** `isDirty`: closing the window asks first. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
}

export function SaveBar({
  isDirty,
  isSaving,
  saveWord,
  onSave,
  onDiscard,
}: {
  isDirty: boolean
  isSaving: boolean
  saveWord?: string
  onSave: () => void
  onDiscard?: () => void
}) {
  const t = { ...useWords(common), ...useWords(unsavedWords) }
  useUnsaved(isDirty)
  if (!isDirty) return null
  return (
    <Paper withBorder shadow="md" p="sm" pos="sticky" bottom={12} style={{ zIndex: 10 }}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {t.unsaved}
        </Text>
        <Group gap="xs">
          {onDiscard && (
            <Button variant="default" onClick={onDiscard} disabled={isSaving}>
              {t.discard}
            </Button>
          )}
          <Button loading={isSaving} onClick={onSave}>
            {saveWord ?? t.save}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
