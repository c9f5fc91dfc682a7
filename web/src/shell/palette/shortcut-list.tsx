// A dialog with the keyboard shortcuts.
import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { modifierName } from './hotkeys.ts'
import { paletteTexts } from './palette-texts.ts'

export function ShortcutList({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useTexts(paletteTexts)
  const shared = useTexts(commonTexts)
  const rows: [keyof typeof t.keys, string[]][] = [
    ['palette', [modifierName(), 'K']],
    ['help', ['?']],
    ['save', [modifierName(), 'S']],
    ['rows', ['↑', '↓', 'Home', 'End']],
    ['days', ['←', '→']],
    ['open', ['Enter']],
    ['close', ['Esc']],
  ]
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t.shortcuts}
      centered
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <Stack gap="sm" component="dl" m={0}>
        {rows.map(([name, keys]) => (
          <Group key={name} justify="space-between" wrap="nowrap" gap="md">
            <Text component="dt" size="sm">
              {t.keys[name]}
            </Text>
            <Text component="dd" m={0} style={{ whiteSpace: 'nowrap' }}>
              {keys.map((key) => (
                <Kbd key={key} size="sm" ml={4}>
                  {key}
                </Kbd>
              ))}
            </Text>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
