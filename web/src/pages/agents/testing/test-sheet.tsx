// The test panel as a bottom sheet, for screens without room beside the form.
import { Button, Drawer, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMicrophone } from '@tabler/icons-react'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/language-provider.tsx'
import type { AgentFormProps } from '../agent-form.ts'
import { agentTexts } from '../agent-texts.ts'
import { TestPanel } from './test-panel.tsx'

export function TestSheet(part: AgentFormProps) {
  const t = { ...useTexts(commonTexts), ...useTexts(agentTexts) }
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="light" size="xs" px={10} onClick={open} aria-label={t.test}>
        <IconMicrophone size={16} aria-hidden />
        <Text span inherit visibleFrom="xs" ml={6}>
          {t.test}
        </Text>
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="bottom"
        size="88%"
        title={t.test}
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <TestPanel {...part} hasTitle={false} />
      </Drawer>
    </>
  )
}
