// Asks for confirmation before a link or the back button leaves a page with unsaved changes (save-bar.tsx covers
// closing the page).
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { texts } from '../i18n/texts.ts'
import { onBackNavigation } from './back-navigation.ts'

const guardTexts = texts(
  {
    question: 'Salvar as alterações?',
    text: 'O que você mudou nesta página ainda não foi salvo.',
    stay: 'Continuar editando',
    leave: 'Sair sem salvar',
    save: 'Salvar e sair',
  },
  {
    question: 'Save the changes?',
    text: 'What you changed on this page has not been saved yet.',
    stay: 'Keep editing',
    leave: 'Leave without saving',
    save: 'Save and leave',
  },
  {
    question: '¿Guardar los cambios?',
    text: 'Lo que cambió en esta página aún no se ha guardado.',
    stay: 'Seguir editando',
    leave: 'Salir sin guardar',
    save: 'Guardar y salir',
  },
)

/** `onSave` resolves to whether the save succeeded. */
export function LeaveGuard({
  isDirty,
  onSave,
  onDiscard,
}: {
  isDirty: boolean
  onSave: () => Promise<boolean>
  onDiscard?: () => void
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(guardTexts) }
  const [, go] = useLocation()
  const search = useSearch()
  const [target, setTarget] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address changes with what is searched for in it
  useEffect(() => {
    if (!isDirty) return
    const here = location.pathname
    const address = location.href
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const to = new URL(link.href)
      if (to.origin !== location.origin || to.pathname === here) return
      event.preventDefault()
      event.stopPropagation()
      setTarget(to.pathname + to.search)
    }
    const back = (event: PopStateEvent) => {
      if (location.pathname === here) return
      const to = location.pathname + location.search
      event.stopImmediatePropagation()
      history.pushState(null, '', address)
      setTarget(to)
    }
    document.addEventListener('click', click, true)
    const forget = onBackNavigation(back)
    return () => {
      document.removeEventListener('click', click, true)
      forget()
    }
  }, [isDirty, search])

  const leave = () => {
    if (target) go(target)
    setTarget(null)
  }
  const discard = () => {
    onDiscard?.()
    leave()
  }
  const save = async () => {
    setSaving(true)
    const isSaved = await onSave()
    setSaving(false)
    if (isSaved) leave()
    else setTarget(null)
  }
  return (
    <Modal
      opened={target !== null}
      onClose={() => setTarget(null)}
      title={t.question}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Stack>
        <Text size="sm">{t.text}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={() => setTarget(null)}>
            {t.stay}
          </Button>
          <Button variant="default" onClick={discard}>
            {t.leave}
          </Button>
          <Button loading={isSaving} onClick={() => void save()}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
