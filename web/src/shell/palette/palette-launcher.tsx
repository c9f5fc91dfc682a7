// The search button in the header, and the hotkeys that open the palette. The palette itself is loaded when first
// opened.
import { ActionIcon, Kbd, Text, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useTexts } from '../../i18n/language-provider.tsx'
import { texts } from '../../i18n/texts.ts'
import { lazyComponent } from '../../lazy-component.ts'
import { isApple, isHelpKey, isPaletteKey, isTypingIn, modifierName } from './hotkeys.ts'

type PaletteProps = { isOpen: boolean; close: () => void; showShortcuts: () => void }
const Palette = lazyComponent<'Palette', PaletteProps>(() => import('./palette.tsx'), 'Palette')
const ShortcutList = lazyComponent<'ShortcutList', { isOpen: boolean; close: () => void }>(
  () => import('./shortcut-list.tsx'),
  'ShortcutList',
)

/** Not in palette-texts.ts, which is loaded only with the palette. */
const launcherTexts = texts({ open: 'Buscar ou ir para…' }, { open: 'Search or go to…' }, { open: 'Buscar o ir a…' })

type Shown = 'palette' | 'shortcuts' | null

export function PaletteLauncher() {
  const t = useTexts(launcherTexts)
  const [shown, setShown] = useState<Shown>(null)
  const [wasShown, setWasShown] = useState<ReadonlySet<Shown>>(new Set())
  const show = useCallback((what: Shown) => {
    setShown(what)
    setWasShown((before) => new Set(before).add(what))
  }, [])
  const close = useCallback(() => setShown(null), [])
  const showShortcuts = useCallback(() => show('shortcuts'), [show])
  useEffect(() => {
    const onApple = isApple()
    const onKey = (event: KeyboardEvent) => {
      const isBehindDialog = document.querySelector('[role=dialog]') !== null
      if (isPaletteKey(event, onApple)) {
        event.preventDefault()
        event.stopPropagation()
        if (!isBehindDialog) show('palette')
      } else if (isHelpKey(event, isTypingIn(event.target)) && !isBehindDialog) show('shortcuts')
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [show])
  const open = () => show('palette')
  // Preload while the pointer approaches the button.
  const prepare = () => void Palette.load().catch(() => {})
  return (
    <>
      <UnstyledButton
        className="search-button"
        visibleFrom="sm"
        onClick={open}
        onPointerEnter={prepare}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
      >
        <IconSearch size={16} aria-hidden />
        <Text span size="sm" flex={1}>
          {t.open}
        </Text>
        <Kbd size="xs" aria-hidden>
          {modifierName()} K
        </Kbd>
      </UnstyledButton>
      <ActionIcon
        hiddenFrom="sm"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t.open}
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      <Suspense>
        {wasShown.has('palette') && (
          <Palette isOpen={shown === 'palette'} close={close} showShortcuts={showShortcuts} />
        )}
        {wasShown.has('shortcuts') && <ShortcutList isOpen={shown === 'shortcuts'} close={close} />}
      </Suspense>
    </>
  )
}
