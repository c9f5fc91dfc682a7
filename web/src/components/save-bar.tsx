// The save bar, shown while there are unsaved changes; the browser warns before the page closes.
import { Button, Group, Paper, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { texts } from '../i18n/texts.ts'
import { useMayChange } from '../organization.ts'
import { useUnsavedWarning } from '../unsaved-changes.ts'

const unsavedTexts = texts(
  { unsaved: 'Há alterações não salvas.', readOnly: 'Seu papel não permite salvar alterações.', discard: 'Descartar' },
  { unsaved: 'There are unsaved changes.', readOnly: 'Your role does not let you save changes.', discard: 'Discard' },
  { unsaved: 'Hay cambios sin guardar.', readOnly: 'Su rol no permite guardar cambios.', discard: 'Descartar' },
)

/** Scrolls whatever has the focus above the bar, so that it is never hidden. Returns the cleanup function. */
function keepClear(bar: HTMLElement): () => void {
  const { style } = document.documentElement
  const before = style.scrollPaddingBottom
  style.scrollPaddingBottom = `${bar.offsetHeight + 2 * GAP_PX}px`
  return () => {
    style.scrollPaddingBottom = before
  }
}

const GAP_PX = 12

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
  const mayChange = useMayChange()
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => (isDirty && bar.current ? keepClear(bar.current) : undefined), [isDirty])
  if (!isDirty) return null
  return (
    <Paper ref={bar} withBorder shadow="md" p="sm" pos="sticky" bottom={GAP_PX} style={{ zIndex: 10 }}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {mayChange ? t.unsaved : t.readOnly}
        </Text>
        <Group gap="xs">
          {onDiscard && (
            <Button variant="default" onClick={onDiscard} disabled={isSaving}>
              {t.discard}
            </Button>
          )}
          <Button loading={isSaving} disabled={!mayChange} onClick={onSave}>
            {saveLabel ?? t.save}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
