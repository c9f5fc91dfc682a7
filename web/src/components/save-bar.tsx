// The bar shown while there are unsaved changes; the browser warns before the page closes.
import { Button, Group, Paper, Text } from '@mantine/core'
import { useEffect } from 'react'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { texts } from '../i18n/texts.ts'

const unsavedTexts = texts(
  { unsaved: 'Há alterações não salvas.', discard: 'Descartar' },
  { unsaved: 'There are unsaved changes.', discard: 'Discard' },
  { unsaved: 'Hay cambios sin guardar.', discard: 'Descartar' },
)

/** Warns before the window closes while `isDirty`. */
export function useUnsavedWarning(isDirty: boolean): void {
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
  saveLabel,
  onSave,
  onDiscard,
}: {
  isDirty: boolean
  isSaving: boolean
  saveLabel?: string
  onSave: () => void
  onDiscard?: () => void
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(unsavedTexts) }
  useUnsavedWarning(isDirty)
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
            {saveLabel ?? t.save}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
